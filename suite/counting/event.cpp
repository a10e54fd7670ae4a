#include "suite/counting/event.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/perf_event.h>

#include "pinning/bad_input.hpp"
#include "pinning/fd.hpp"
#include "suite/counting/libpfm.hpp"
#include "suite/counting/names/generic_event.hpp"
#include "suite/counting/names/sysfs_pmu.hpp"
#include "suite/counting/names/tracepoint.hpp"

namespace schedrig {
namespace {

/// A name without the modes it is restricted to: "cycles:k" is "cycles" in kernel mode.
struct Spelling {
  std::string base;                  ///< with its slashes where it is of a PMU: "cpu/instructions/"
  bool user = false, kernel = false; ///< both or neither: not restricted

  explicit Spelling(std::string_view name) {
    if (const auto slash = name.rfind('/'); slash != name.npos) {
      const auto modes = name.substr(slash + 1);
      if (!modes.empty() && !take(modes.starts_with(':') ? modes.substr(1) : modes))
        throw BadInput(fmt::format("event '{}': only the modifiers u and k are taken behind the "
                                   "last slash, not '{}'",
                                   name, modes));
      base = name.substr(0, slash + 1);
      return;
    }
    for (;;) {
      const auto colon = name.rfind(':');
      if (colon == name.npos || !take(name.substr(colon + 1)))
        break;
      name = name.substr(0, colon);
    }
    base = name;
  }

  bool is_of_pmu() const { return base.ends_with('/'); }
  std::string_view suffix() const { return user == kernel ? "" : user ? ":u" : ":k"; }

private:
  bool take(std::string_view modes) {
    if (modes.empty() || modes.find_first_not_of("uk") != modes.npos)
      return false;
    user |= modes.find('u') != modes.npos;
    kernel |= modes.find('k') != modes.npos;
    return true;
  }
};

/// What the kernel accepts of a software event and then counts wrongly is refused here.
void refuse_modes_not_meant(const Event& event) {
  if (event.kind == Event::Kind::hardware || event.exclude_user == event.exclude_kernel)
    return;
  if (event.kind == Event::Kind::tracepoint) {
    if (event.exclude_kernel)
      throw BadInput(fmt::format("event '{}': tracepoints are in the kernel, ':u' would always "
                                 "count 0; ask for it without ':u'",
                                 event.name));
    return;
  }
  switch (event.config) {
  case PERF_COUNT_SW_CPU_CLOCK:
  case PERF_COUNT_SW_TASK_CLOCK:
    throw BadInput(
        fmt::format("event '{}': a clock does not tell user from kernel mode; ask for it without "
                    "':u' or ':k'",
                    event.name));
  case PERF_COUNT_SW_CONTEXT_SWITCHES:
  case PERF_COUNT_SW_CPU_MIGRATIONS:
  case PERF_COUNT_SW_CGROUP_SWITCHES:
    if (event.exclude_kernel)
      throw BadInput(fmt::format("event '{}': it happens in the kernel, ':u' would always count 0; "
                                 "ask for it without ':u'",
                                 event.name));
    break;
  default:
    break;
  }
}

std::string lower(std::string_view text) {
  std::string lowered(text);
  std::ranges::transform(lowered, lowered.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lowered;
}

std::string suggestion(std::string_view base) {
  std::vector<std::string> names;
  for (const auto& generic : GenericEvent::all())
    names.push_back(generic.name);
  for (const auto& name : libpfm_names())
    names.push_back(lower(name)); // libpfm4 does not tell case apart
  if (const auto pmu = base.find("::"); pmu != base.npos)
    base.remove_prefix(pmu + 2);
  const auto event = lower(base.substr(0, base.find(':')));
  const auto nearest = nearest_name(event, names);
  // The event itself is known where it was an umask or a modifier that is not.
  return nearest.empty() || nearest == event ? "" : fmt::format("; did you mean '{}'?", nearest);
}

void restrict_modes(Event& event, const Spelling& spelling) {
  event.exclude_user = spelling.kernel && !spelling.user;
  event.exclude_kernel = spelling.user && !spelling.kernel;
}

Event generic_event(const GenericEvent& generic, const Spelling& spelling) {
  const bool is_software = generic.type == PERF_TYPE_SOFTWARE;
  Event event;
  event.full_name = fmt::format("perf::{}{}", generic.constant, spelling.suffix());
  event.pmu = is_software ? "software" : "perf";
  event.kind = is_software ? Event::Kind::software : Event::Kind::hardware;
  event.type = generic.type;
  event.config = generic.config;
  restrict_modes(event, spelling);
  return event;
}

/// "r01c0": a code, and not the beginning of a word.
bool is_raw(std::string_view base) {
  return base.size() > 1 && base.front() == 'r' &&
         base.find_first_not_of("0123456789abcdefABCDEF", 1) == base.npos;
}

Event raw_event(std::string_view name, const Spelling& spelling) {
  const auto digits = std::string_view(spelling.base).substr(1);
  Event event;
  const char* end = digits.data() + digits.size();
  if (const auto [stop, error] = std::from_chars(digits.data(), end, event.config, 16);
      error != std::errc() || stop != end)
    throw BadInput(fmt::format("event '{}': a raw code has 1 to 16 hexadecimal digits", name));
  event.full_name = fmt::format("r{:x}{}", event.config, spelling.suffix());
  event.pmu = "raw";
  event.type = PERF_TYPE_RAW;
  restrict_modes(event, spelling);
  return event;
}

Event::Kind kind_of(std::uint32_t type) {
  return type == PERF_TYPE_SOFTWARE     ? Event::Kind::software
         : type == PERF_TYPE_TRACEPOINT ? Event::Kind::tracepoint
                                        : Event::Kind::hardware;
}

Event event_of(const SysfsPmu& pmu, std::string_view terms, const Spelling& spelling) {
  const auto encoding = pmu.encode(terms);
  Event event;
  event.full_name = fmt::format("{}/{}/{}", pmu.name(), encoding.terms,
                                spelling.suffix().empty() ? "" : spelling.suffix().substr(1));
  event.pmu = pmu.name();
  event.kind = kind_of(pmu.type());
  event.type = pmu.type();
  event.config = encoding.words.config;
  event.config1 = encoding.words.config1;
  event.config2 = encoding.words.config2;
  event.scale = encoding.scale;
  event.unit = encoding.unit;
  restrict_modes(event, spelling);
  return event;
}

/// "cpu/event=0xc0/"
Event pmu_event(std::string_view name, const Spelling& spelling,
                const std::filesystem::path& root) {
  const auto slash = spelling.base.find('/');
  const auto pmu_name = std::string_view(spelling.base).substr(0, slash);
  const auto refuse = [&](std::string_view why) {
    throw BadInput(fmt::format("event '{}': {}", name, why));
  };
  if (slash + 1 == spelling.base.size())
    refuse("a PMU's events stand between two slashes: cpu/instructions/");
  const auto terms =
      std::string_view(spelling.base).substr(slash + 1, spelling.base.size() - slash - 2);
  if (terms.find('/') != terms.npos)
    refuse("there are too many slashes: cpu/instructions/ has two");
  if (const auto pmu = SysfsPmu::find(pmu_name, root))
    try {
      return event_of(*pmu, terms, spelling);
    } catch (const BadInput& error) {
      refuse(error.what());
    }
  std::vector<std::string> here;
  for (const auto& pmu : SysfsPmu::all(root))
    here.push_back(pmu.name());
  refuse(here.empty() ? "/sys/bus/event_source/devices, which would describe it, is not here"
                      : fmt::format("this machine has no PMU '{}'; it has {}", pmu_name,
                                    fmt::join(here, ", ")));
  __builtin_unreachable();
}

std::optional<Event> tracepoint_event(const Spelling& spelling, const std::filesystem::path& root) {
  const auto found = Tracepoint::find(spelling.base, root);
  if (!found)
    return {};
  Event event;
  event.full_name = found->name + std::string(spelling.suffix());
  event.pmu = "tracepoint";
  event.kind = Event::Kind::tracepoint;
  event.type = PERF_TYPE_TRACEPOINT;
  event.config = found->id;
  restrict_modes(event, spelling);
  return event;
}

/// An event by its bare name, of the one PMU that has it.
std::optional<Event> event_of_any_pmu(std::string_view name, const Spelling& spelling,
                                      const std::filesystem::path& root) {
  std::vector<SysfsPmu> having;
  for (auto& pmu : SysfsPmu::all(root))
    if (pmu.event(spelling.base))
      having.push_back(std::move(pmu));
  if (having.empty())
    return {};
  if (having.size() > 1)
    throw BadInput(fmt::format("event '{}': several PMUs have it; ask for {}/{}/ or {}/{}/{}", name,
                               having[0].name(), spelling.base, having[1].name(), spelling.base,
                               having.size() > 2 ? ", ..." : ""));
  return event_of(having.front(), spelling.base, spelling);
}

Event named_event(std::string_view name, const Spelling& spelling,
                  const std::filesystem::path& root) {
  if (auto tracepoint = tracepoint_event(spelling, root))
    return *std::move(tracepoint);
  auto answer = ask_libpfm(fmt::format("{}{}", spelling.base, spelling.suffix()));
  if (answer.event)
    return *std::move(answer.event);
  if (auto event = event_of_any_pmu(name, spelling, root))
    return *std::move(event);
  auto hint = suggestion(spelling.base);
  if (hint.empty() && Tracepoint::is_spelled(spelling.base) &&
      !GenericEvent::find(spelling.base.substr(0, spelling.base.find(':'))))
    if (const auto why = Tracepoint::why_none(root); !why.empty())
      hint = fmt::format("; if it is a tracepoint: {}", why);
  throw BadInput(fmt::format("event '{}': {}{}", name, answer.why_not, hint));
}

} // namespace

Event Event::resolve(std::string_view name, const std::filesystem::path& root) {
  const Spelling spelling(name);
  const auto* generic = GenericEvent::find(spelling.base);
  Event event = generic                 ? generic_event(*generic, spelling)
                : is_raw(spelling.base) ? raw_event(name, spelling)
                : spelling.is_of_pmu()  ? pmu_event(name, spelling, root)
                                        : named_event(name, spelling, root);
  event.name = name;
  refuse_modes_not_meant(event);
  return event;
}

std::vector<std::string> names_in_pass(std::string_view list) {
  std::vector<std::string> names;
  if (trimmed(list).empty())
    return names;
  bool in_slashes = false;
  for (std::size_t begin = 0, at = 0; at <= list.size(); ++at) {
    if (at < list.size() && list[at] == '/')
      in_slashes = !in_slashes;
    if (at < list.size() && (list[at] != ',' || in_slashes))
      continue;
    const auto name = trimmed(list.substr(begin, at - begin));
    if (name.empty())
      throw BadInput(fmt::format("events '{}': a name is missing beside a comma", list));
    if (std::find(names.begin(), names.end(), name) != names.end())
      throw BadInput(fmt::format("events '{}': '{}' is there twice", list, name));
    names.emplace_back(name);
    begin = at + 1;
  }
  return names;
}

std::vector<Event> resolve_pass(std::string_view list, const std::filesystem::path& root) {
  std::vector<Event> events;
  for (const auto& name : names_in_pass(list))
    events.push_back(Event::resolve(name, root));
  return events;
}

} // namespace schedrig
