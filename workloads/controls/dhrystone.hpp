#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "workloads/catalogue.hpp"

namespace schedrig {

/// The integer control load: R. P. Weicker's synthetic mix of statements (version 2), in one task.
///
/// Stands for compute-bound user code with integers, short strings, records and calls. It never
/// enters the kernel of its own will: what is left of the scheduler is the tick, and what shares
/// the CPU. So its loops a second must not move when only the scheduler has changed; where they do,
/// something else differs between the two (clock, mitigations, code layout), or the tick or the
/// accounting got dearer. It says nothing of wakeups, balancing or memory: all of it stays in the
/// first-level cache.
///
/// A loop is the published sequence: about a hundred statements, of which half assign, a third
/// decide and the rest call ten procedures, five functions and two string operations of the C
/// library. As Weicker's rules want it, no procedure is merged into its caller. The values at the
/// end are the published ones and are checked. The rates of differently compiled versions are not
/// comparable to the digit.
WorkloadEntry dhrystone();

/// What the variables of the mix hold, by what they are called in messages.
using DhrystoneValues = std::map<std::string, std::string>;

/// A sentence for each of `found` that is not the published value after `loops`.
std::vector<std::string> wrong_values(const DhrystoneValues& found, std::int64_t loops);

} // namespace schedrig
