#pragma once

#include <optional>
#include <string>
#include <vector>

#include "suite/counting/event.hpp"

namespace schedrig {

/// libpfm4's answer to a name: the event, or why there is none.
struct LibpfmAnswer {
  std::optional<Event> event; ///< `name` is left empty
  std::string why_not;        ///< libpfm4's words: "event not found"; empty with an event
};

/// Asks libpfm4 for `name`, in its own spelling ("skl::INST_RETIRED:ANY_P:u"), for user and kernel
/// mode unless the name restricts it. What would change more than which event in which mode is
/// counted (period, precise, pinned, cpu, ...) is no answer. May be called from several threads.
LibpfmAnswer ask_libpfm(const std::string& name);

/// The events that libpfm4 knows on this machine, in its own spelling without umasks.
std::vector<std::string> libpfm_names();

/// An event of libpfm4 for people.
struct LibpfmEvent {
  struct Umask {
    std::string name, meaning;
  };
  std::string pmu, name, meaning; ///< "skl", "BR_INST_RETIRED"
  std::vector<Umask> umasks;      ///< what may stand behind its name: "BR_INST_RETIRED:NEAR_CALL"
};

/// All events of the PMUs that libpfm4 finds on this machine, but the kernel's generic ones.
std::vector<LibpfmEvent> libpfm_events();

} // namespace schedrig
