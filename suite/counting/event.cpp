#include "suite/counting/event.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <linux/perf_event.h>

#include "pinning/bad_input.hpp"
#include "pinning/fd.hpp"
#include "suite/counting/libpfm.hpp"

namespace schedrig {
namespace {

struct Generic {
  std::string_view name, constant;
  std::uint32_t type;
  std::uint64_t config;
};

constexpr std::uint32_t hardware = PERF_TYPE_HARDWARE, software = PERF_TYPE_SOFTWARE;

constexpr std::array generics{
    Generic{"cycles", "PERF_COUNT_HW_CPU_CYCLES", hardware, PERF_COUNT_HW_CPU_CYCLES},
    Generic{"cpu-cycles", "PERF_COUNT_HW_CPU_CYCLES", hardware, PERF_COUNT_HW_CPU_CYCLES},
    Generic{"instructions", "PERF_COUNT_HW_INSTRUCTIONS", hardware, PERF_COUNT_HW_INSTRUCTIONS},
    Generic{"branches", "PERF_COUNT_HW_BRANCH_INSTRUCTIONS", hardware,
            PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    Generic{"branch-instructions", "PERF_COUNT_HW_BRANCH_INSTRUCTIONS", hardware,
            PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    Generic{"branch-misses", "PERF_COUNT_HW_BRANCH_MISSES", hardware, PERF_COUNT_HW_BRANCH_MISSES},
    Generic{"cache-references", "PERF_COUNT_HW_CACHE_REFERENCES", hardware,
            PERF_COUNT_HW_CACHE_REFERENCES},
    Generic{"cache-misses", "PERF_COUNT_HW_CACHE_MISSES", hardware, PERF_COUNT_HW_CACHE_MISSES},
    Generic{"bus-cycles", "PERF_COUNT_HW_BUS_CYCLES", hardware, PERF_COUNT_HW_BUS_CYCLES},
    Generic{"stalled-cycles-frontend", "PERF_COUNT_HW_STALLED_CYCLES_FRONTEND", hardware,
            PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
    Generic{"stalled-cycles-backend", "PERF_COUNT_HW_STALLED_CYCLES_BACKEND", hardware,
            PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
    Generic{"ref-cycles", "PERF_COUNT_HW_REF_CPU_CYCLES", hardware, PERF_COUNT_HW_REF_CPU_CYCLES},
    Generic{"cpu-clock", "PERF_COUNT_SW_CPU_CLOCK", software, PERF_COUNT_SW_CPU_CLOCK},
    Generic{"task-clock", "PERF_COUNT_SW_TASK_CLOCK", software, PERF_COUNT_SW_TASK_CLOCK},
    Generic{"page-faults", "PERF_COUNT_SW_PAGE_FAULTS", software, PERF_COUNT_SW_PAGE_FAULTS},
    Generic{"faults", "PERF_COUNT_SW_PAGE_FAULTS", software, PERF_COUNT_SW_PAGE_FAULTS},
    Generic{"minor-faults", "PERF_COUNT_SW_PAGE_FAULTS_MIN", software,
            PERF_COUNT_SW_PAGE_FAULTS_MIN},
    Generic{"major-faults", "PERF_COUNT_SW_PAGE_FAULTS_MAJ", software,
            PERF_COUNT_SW_PAGE_FAULTS_MAJ},
    Generic{"context-switches", "PERF_COUNT_SW_CONTEXT_SWITCHES", software,
            PERF_COUNT_SW_CONTEXT_SWITCHES},
    Generic{"cs", "PERF_COUNT_SW_CONTEXT_SWITCHES", software, PERF_COUNT_SW_CONTEXT_SWITCHES},
    Generic{"cpu-migrations", "PERF_COUNT_SW_CPU_MIGRATIONS", software,
            PERF_COUNT_SW_CPU_MIGRATIONS},
    Generic{"migrations", "PERF_COUNT_SW_CPU_MIGRATIONS", software, PERF_COUNT_SW_CPU_MIGRATIONS},
    Generic{"cgroup-switches", "PERF_COUNT_SW_CGROUP_SWITCHES", software,
            PERF_COUNT_SW_CGROUP_SWITCHES},
    Generic{"alignment-faults", "PERF_COUNT_SW_ALIGNMENT_FAULTS", software,
            PERF_COUNT_SW_ALIGNMENT_FAULTS},
    Generic{"emulation-faults", "PERF_COUNT_SW_EMULATION_FAULTS", software,
            PERF_COUNT_SW_EMULATION_FAULTS},
};

/// A name without the modes it is restricted to: "cycles:k" is "cycles" in kernel mode.
struct Spelling {
  std::string base;
  bool user = false, kernel = false; ///< both or neither: not restricted

  explicit Spelling(std::string_view name) {
    for (;;) {
      const auto colon = name.rfind(':');
      const auto modes = colon == name.npos ? "" : name.substr(colon + 1);
      if (modes.empty() || modes.find_first_not_of("uk") != modes.npos)
        break;
      user |= modes.find('u') != modes.npos;
      kernel |= modes.find('k') != modes.npos;
      name = name.substr(0, colon);
    }
    base = name;
  }

  std::string_view suffix() const { return user == kernel ? "" : user ? ":u" : ":k"; }
};

/// What the kernel accepts of a software event and then counts wrongly is refused here.
void refuse_modes_not_meant(const Event& event) {
  if (event.kind != Event::Kind::software || event.exclude_user == event.exclude_kernel)
    return;
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
  for (const auto& generic : generics)
    names.emplace_back(generic.name);
  for (const auto& name : libpfm_names())
    names.push_back(lower(name)); // libpfm4 does not tell case apart
  if (const auto pmu = base.find("::"); pmu != base.npos)
    base.remove_prefix(pmu + 2);
  const auto event = lower(base.substr(0, base.find(':')));
  const auto nearest = nearest_name(event, names);
  // The event itself is known where it was an umask or a modifier that is not.
  return nearest.empty() || nearest == event ? "" : fmt::format("; did you mean '{}'?", nearest);
}

Event generic_event(const Generic& generic, const Spelling& spelling) {
  const bool is_software = generic.type == PERF_TYPE_SOFTWARE;
  Event event;
  event.full_name = fmt::format("perf::{}{}", generic.constant, spelling.suffix());
  event.pmu = is_software ? "software" : "perf";
  event.kind = is_software ? Event::Kind::software : Event::Kind::hardware;
  event.type = generic.type;
  event.config = generic.config;
  event.exclude_user = spelling.kernel && !spelling.user;
  event.exclude_kernel = spelling.user && !spelling.kernel;
  return event;
}

Event libpfm_event(std::string_view name, const Spelling& spelling) {
  auto answer = ask_libpfm(fmt::format("{}{}", spelling.base, spelling.suffix()));
  if (answer.event)
    return *std::move(answer.event);
  throw BadInput(fmt::format("event '{}': {}{}", name, answer.why_not, suggestion(spelling.base)));
}

} // namespace

Event Event::resolve(std::string_view name) {
  const Spelling spelling(name);
  const auto* generic = std::ranges::find(generics, spelling.base, &Generic::name);
  Event event =
      generic != generics.end() ? generic_event(*generic, spelling) : libpfm_event(name, spelling);
  event.name = name;
  refuse_modes_not_meant(event);
  return event;
}

std::vector<Event> resolve_pass(std::string_view list) {
  std::vector<Event> events;
  if (trimmed(list).empty())
    return events;
  for (std::string_view rest = list;;) {
    const auto comma = rest.find(',');
    const auto name = trimmed(rest.substr(0, comma));
    if (name.empty())
      throw BadInput(fmt::format("events '{}': a name is missing beside a comma", list));
    if (std::ranges::find(events, name, &Event::name) != events.end())
      throw BadInput(fmt::format("events '{}': '{}' is there twice", list, name));
    events.push_back(Event::resolve(name));
    if (comma == rest.npos)
      return events;
    rest.remove_prefix(comma + 1);
  }
}

} // namespace schedrig
