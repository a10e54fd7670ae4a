#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "workloads/catalogue.hpp"

namespace schedrig {

/// Two processes that hand an 8-byte counter to and fro through two pipes and check it each time.
///
/// Stands for two programs that work in turn, as a client and its server do. Like pipe-ping-pong it
/// is wakeup, sleep and switch, so that a better scheduler makes the loop shorter; it differs in
/// that each side compares what it was handed with a count of its own, and in that it goes on for a
/// time. It is here for those who compare with context switching figures of old: one loop there and
/// back is one unit, not two. It says nothing of balancing, of fairness, or of more tasks than two.
///
/// The alternation is strict: the first process writes then reads, the second reads then writes. On
/// one CPU a loop is two context switches.
WorkloadEntry context_switch();

/// The sentence for a partner that did not take part in each of `loops`, or that was handed (or
/// handed back) another counter than the one due; nothing when all was right.
std::optional<std::string> out_of_step(std::int64_t loops, std::int64_t partner_loops,
                                       std::int64_t wrong_counters);

} // namespace schedrig
