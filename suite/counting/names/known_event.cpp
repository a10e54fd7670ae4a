#include "suite/counting/names/known_event.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>

#include <fmt/format.h>
#include <linux/perf_event.h>

#include "pinning/bad_input.hpp"
#include "pinning/fd.hpp"
#include "pinning/unavailable.hpp"
#include "suite/counting/event.hpp"
#include "suite/counting/libpfm.hpp"
#include "suite/counting/names/generic_event.hpp"
#include "suite/counting/names/sysfs_pmu.hpp"
#include "suite/counting/names/tracepoint.hpp"

namespace schedrig {
namespace {

using Presence = KnownEvent::Presence;

bool holds(std::string_view text, std::string_view pattern) {
  const auto same = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  return pattern.empty() ||
         std::search(text.begin(), text.end(), pattern.begin(), pattern.end(), same) != text.end();
}

bool matches(const KnownEvent& event, std::string_view pattern) {
  return holds(event.name, pattern) || holds(event.meaning, pattern) ||
         std::any_of(event.attributes.begin(), event.attributes.end(),
                     [&](const auto& attribute) { return holds(attribute.name, pattern); });
}

/// The errno of opening it, user mode of ourselves or all of CPU 0; 0 when it opens.
int try_to_open(PerfPort& perf, const Event& event, pid_t process, int cpu) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = event.type;
  attributes.config = event.config;
  attributes.config1 = event.config1;
  attributes.config2 = event.config2;
  attributes.disabled = 1;
  attributes.exclude_kernel = cpu < 0 && event.kind == Event::Kind::hardware;
  const Fd opened(perf.open(attributes, process, cpu, -1, PERF_FLAG_FD_CLOEXEC));
  return opened ? 0 : errno;
}

Presence presence_of(PerfPort& perf, const Event& event) {
  int error = try_to_open(perf, event, 0, -1);
  if (error == EINVAL) // what belongs to the whole machine, such as energy, has no tasks
    error = try_to_open(perf, event, -1, 0);
  return error == 0                          ? Presence::here
         : error == EACCES || error == EPERM ? Presence::untold
                                             : Presence::not_here;
}

/// The first of these spellings that resolves: some events want an umask.
Presence presence_of(PerfPort& perf, const std::vector<std::string>& spellings,
                     const std::filesystem::path& root) {
  for (const auto& spelling : spellings)
    try {
      return presence_of(perf, Event::resolve(spelling, root));
    } catch (const BadInput&) {
    } catch (const Unavailable&) {
      return Presence::untold;
    }
  return Presence::untold;
}

std::vector<KnownEvent> all(const std::filesystem::path& root) {
  std::vector<KnownEvent> events;
  for (const auto& generic : GenericEvent::all())
    events.push_back({"perf", generic.name, generic.meaning, {}});
  for (const auto& event : libpfm_events()) {
    KnownEvent known{"libpfm4 " + event.pmu, event.name, event.meaning, {}};
    for (const auto& [name, meaning] : event.umasks)
      known.attributes.push_back({name, meaning});
    events.push_back(std::move(known));
  }
  for (const auto& pmu : SysfsPmu::all(root))
    for (const auto& event : pmu.events())
      events.push_back({"sysfs " + pmu.name(),
                        fmt::format("{}/{}/", pmu.name(), event.name),
                        event.unit.empty() ? event.terms
                                           : fmt::format("{}; times {} it is {}", event.terms,
                                                         event.scale, event.unit),
                        {}});
  for (const auto& name : Tracepoint::names(root))
    events.push_back({"tracepoint", name, "", {}});
  return events;
}

} // namespace

std::vector<KnownEvent> KnownEvent::search(PerfPort& perf, std::string_view pattern,
                                           const std::filesystem::path& root) {
  std::vector<KnownEvent> found;
  for (auto& event : all(root)) {
    if (!matches(event, pattern))
      continue;
    std::vector<std::string> spellings{event.name};
    for (const auto& attribute : event.attributes)
      spellings.push_back(fmt::format("{}:{}", event.name, attribute.name));
    event.presence = presence_of(perf, spellings, root);
    found.push_back(std::move(event));
  }
  return found;
}

} // namespace schedrig
