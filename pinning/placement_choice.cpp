// How placements are chosen: apart from what they are, since a workload's process needs no topology
// and is linked without hwloc.

#include "pinning/placement.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <ranges>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pinning/bad_input.hpp"
#include "pinning/unavailable.hpp"

namespace schedrig {

namespace {

using Tasks = Placement::Tasks;

/// A placement of two CPUs: what the two have in common and what not.
struct PairRule {
  std::string_view name;
  bool (*fits)(const Pu& a, const Pu& b);
  std::string_view refusal; ///< what no machine that refuses has
  std::string_view remedy;
};

constexpr PairRule pair_rules[] = {
    {"smt-pair", [](const Pu& a, const Pu& b) { return a.core == b.core; },
     "no core of this machine has two PUs",
     "enable SMT in the firmware and boot without nosmt or mitigations=auto,nosmt"},
    {"same-llc", [](const Pu& a, const Pu& b) { return a.llc == b.llc && a.core != b.core; },
     "no last-level cache of this machine is shared by two cores", ""},
    {"cross-llc", [](const Pu& a, const Pu& b) { return a.node == b.node && a.llc != b.llc; },
     "no node of this machine has two last-level caches", ""},
    {"cross-node", [](const Pu& a, const Pu& b) { return a.node != b.node; },
     "this machine has one node only", ""},
};

std::vector<Pu> allowed_pus(const Topology& topology, const CpuSet& allowed) {
  std::vector<Pu> pus;
  std::ranges::copy_if(topology.pus(), std::back_inserter(pus),
                       [&](const Pu& pu) { return allowed.contains(pu.cpu); });
  return pus;
}

std::vector<int> cpu_numbers(const std::vector<Pu>& pus) {
  std::vector<int> cpus;
  for (const auto& pu : pus)
    cpus.push_back(pu.cpu);
  return cpus;
}

/// The best of `pus`: an isolated one, then one of the most performant kind, then the nearest to
/// the machine's end.
std::vector<int> best_one(const std::vector<Pu>& pus, const CpuSet& isolated) {
  const auto rank = [&](const Pu& pu) {
    return std::tuple(isolated.contains(pu.cpu), pu.core_kind);
  };
  // The last of equals: max_element gives the first.
  return {std::ranges::max_element(pus | std::views::reverse, {}, rank)->cpu};
}

/// The best two by the same order; nothing when no two of `pus` fit.
std::optional<std::vector<int>> best_pair(const std::vector<Pu>& pus, const CpuSet& isolated,
                                          const std::function<bool(const Pu&, const Pu&)>& fits) {
  using Rank = std::tuple<int, int, std::size_t, std::size_t>;
  std::optional<Rank> best;
  for (std::size_t later = 0; later < pus.size(); ++later)
    for (std::size_t earlier = 0; earlier < later; ++earlier)
      if (fits(pus[earlier], pus[later])) {
        const int isolated_ones =
            isolated.contains(pus[earlier].cpu) + isolated.contains(pus[later].cpu);
        best = std::max(best,
                        std::optional(Rank{isolated_ones, pus[later].core_kind, later, earlier}));
      }
  if (!best)
    return std::nullopt;
  return std::vector{pus[std::get<3>(*best)].cpu, pus[std::get<2>(*best)].cpu};
}

bool of_one_kind(const Pu& a, const Pu& b) {
  return a.core_kind == b.core_kind;
}

std::vector<int> choose_pair(const PairRule& rule, const Topology& topology,
                             const std::vector<Pu>& pus, const CpuSet& allowed,
                             const CpuSet& isolated) {
  if (auto pair = best_pair(pus, isolated, [&](const Pu& a, const Pu& b) {
        return rule.fits(a, b) && of_one_kind(a, b);
      }))
    return *pair;
  if (best_pair(pus, isolated, rule.fits))
    throw Unavailable(
        fmt::format("{}: only cores of different kinds lie like that on this machine", rule.name),
        "name the two CPUs");
  if (best_pair(topology.pus(), isolated, rule.fits))
    throw Unavailable(
        fmt::format("{}: the allowed CPUs {} hold no such two", rule.name, allowed.text()),
        "allow more CPUs (taskset, the cpuset)");
  throw Unavailable(fmt::format("{}: {}", rule.name, rule.refusal), std::string(rule.remedy));
}

bool is_a_list(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789,-") == std::string_view::npos;
}

CpuSet choose_listed(std::string_view text, const CpuSet& allowed) {
  auto listed = CpuSet::parse(text, "placement");
  if (const auto outside = listed - allowed; !outside.empty())
    throw BadInput(fmt::format("placement '{}': CPU {} is not among the allowed CPUs {}", text,
                               outside.text(), allowed.text()));
  return listed;
}

[[noreturn]] void refuse(std::string_view name) {
  const auto nearest = nearest_name(name, Placement::names());
  throw BadInput(
      fmt::format("placement '{}' is not known{}; allowed is {} or a CPU list such as 0-3,8", name,
                  nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest),
                  fmt::join(Placement::names(), ", ")));
}

} // namespace

const std::vector<std::string>& Placement::names() {
  static const std::vector<std::string> names{"same-cpu",  "smt-pair",   "same-llc",
                                              "cross-llc", "cross-node", "all"};
  return names;
}

Placement Placement::choose(std::string_view name, const Topology& topology, const CpuSet& allowed,
                            const CpuSet& isolated) {
  const auto pus = allowed_pus(topology, allowed);
  const CpuSet usable(cpu_numbers(pus));
  if (is_a_list(name)) {
    const auto listed = choose_listed(name, usable);
    return {listed.text(), listed.cpus(), Tasks::free_within};
  }
  const auto rule = std::ranges::find(pair_rules, name, &PairRule::name);
  if (rule == std::end(pair_rules) && name != "same-cpu" && name != "all")
    refuse(name);
  if (pus.empty())
    throw Unavailable(fmt::format("{}: none of the allowed CPUs ({}) is among the machine's ({})",
                                  name, allowed.text(), topology.cpus().text()));
  if (name == "same-cpu")
    return {"same-cpu", best_one(pus, isolated), Tasks::each_on_one};
  if (name == "all")
    return {"all", usable.cpus(), Tasks::free_within};
  return {std::string(name), choose_pair(*rule, topology, pus, usable, isolated),
          Tasks::each_on_one};
}

} // namespace schedrig
