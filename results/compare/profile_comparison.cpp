#include "results/compare/profile_comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "results/compare/labels.hpp"
#include "results/statistics/false_discovery.hpp"
#include "results/statistics/moments.hpp"
#include "results/statistics/welch.hpp"

namespace schedrig {
namespace {

/// One trial's samples, by function.
struct TrialShares {
  std::map<SampledFunction, double> samples;
  double total = 0; ///< above 0

  double of(const SampledFunction& function) const {
    const auto found = samples.find(function);
    return found == samples.end() ? 0 : found->second;
  }
};

/// The trials of one side, as far as they count.
struct Side {
  ProfileSide told;
  std::vector<TrialShares> trials;
  std::string cpus, event;
  std::int64_t period = 0;
  std::vector<std::string> notes;
};

void add_once(std::vector<std::string>& texts, const std::string& text) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end())
    texts.push_back(text);
}

/// A function of one file is the same wherever the file lies.
SampledFunction without_folders(SampledFunction function) {
  if (function.object.starts_with('/'))
    function.object.erase(0, function.object.rfind('/') + 1);
  return function;
}

void add_profile(Side& side, const ProfileRecord& profile) {
  side.told.samples += profile.samples;
  side.told.lost += profile.lost;
  side.event = profile.event;
  side.period = profile.period;
  if (profile.samples == 0)
    return;
  TrialShares& trial = side.trials.emplace_back();
  trial.total = static_cast<double>(profile.samples);
  for (const auto& [function, samples] : profile.functions)
    trial.samples[without_folders(function)] += static_cast<double>(samples);
}

double unnamed_percent(const std::vector<TrialShares>& trials) {
  std::vector<double> percents;
  for (const auto& trial : trials) {
    double samples = 0;
    for (const auto& [function, count] : trial.samples)
      if (function.name == "[unknown]")
        samples += count;
    percents.push_back(100 * samples / trial.total);
  }
  return moments_of(percents).mean;
}

std::string kernel_text(const KernelBuild& kernel) {
  return (kernel.release.empty() ? "unknown" : kernel.release) +
         (kernel.build_id.empty() ? "" : fmt::format(" (build {})", kernel.build_id.substr(0, 8)));
}

/// The side that the trials of `cell` are.
Side side_of(const std::vector<StoredTrial>& trials, const Cell& cell, std::string label,
             const Boot& boot) {
  Side side;
  side.told.label = std::move(label);
  side.told.kernel = kernel_text(boot.kernel);
  for (const auto& [id, run, trial] : trials) {
    if (trial.cell != cell)
      continue;
    side.told.trials.add(trial);
    side.cpus = trial.cpus;
    for (const auto& note : trial.notes)
      add_once(side.notes, note);
    if (trial.purpose == TrialRecord::Purpose::measured && !trial.reason.empty())
      add_once(side.notes, fmt::format("{}: left out a trial: {}", side.told.label, trial.reason));
    if (trial.purpose == TrialRecord::Purpose::measured &&
        trial.validity == TrialRecord::Validity::valid && trial.profile)
      add_profile(side, *trial.profile);
  }
  side.told.unnamed_percent = unnamed_percent(side.trials);
  return side;
}

/// The variance that shares of trials with so many samples have by chance alone, in square points.
double chance_variance(const std::vector<TrialShares>& trials, double samples) {
  const double total =
      std::accumulate(trials.begin(), trials.end(), 0.0,
                      [](double sum, const TrialShares& trial) { return sum + trial.total; });
  // Half a sample more: what was never seen is rare, not impossible.
  const double share = (samples + 0.5) / (total + 1);
  double variance = 0;
  for (const auto& trial : trials)
    variance += 1e4 * share * (1 - share) / trial.total;
  return variance / static_cast<double>(trials.size());
}

/// The share of `functions` together: its moments over the trials, in percent.
Moments share_of(const std::vector<TrialShares>& trials,
                 const std::vector<const SampledFunction*>& functions) {
  std::vector<double> percents;
  double all_samples = 0;
  for (const auto& trial : trials) {
    const double samples = std::accumulate(
        functions.begin(), functions.end(), 0.0,
        [&](double sum, const auto* function) { return sum + trial.of(*function); });
    all_samples += samples;
    percents.push_back(100 * samples / trial.total);
  }
  Moments moments = moments_of(percents);
  if (moments.n > 1 && !functions.empty())
    moments.variance = std::max(moments.variance, chance_variance(trials, all_samples));
  return moments;
}

std::optional<double> mean_of(const Moments& moments) {
  return moments.n > 0 ? std::optional(moments.mean) : std::nullopt;
}

FunctionShare share_row(const Side& base, const Side* other,
                        const std::vector<const SampledFunction*>& functions, double confidence) {
  const Moments before = share_of(base.trials, functions);
  const Moments after = other ? share_of(other->trials, functions) : Moments{};
  FunctionShare row;
  if (functions.size() == 1)
    row.function = *functions.front();
  row.base_percent = mean_of(before);
  row.other_percent = mean_of(after);
  if (other)
    row.difference = welch_of_moments(before, after, confidence);
  return row;
}

/// All functions of both sides, with how many samples they have together.
std::map<SampledFunction, double> all_functions(const Side& base, const Side* other) {
  std::map<SampledFunction, double> functions;
  for (const Side* side : {&base, other})
    if (side)
      for (const auto& trial : side->trials)
        for (const auto& [function, samples] : trial.samples)
          functions[function] += samples;
  return functions;
}

void judge(std::vector<FunctionShare>& rows) {
  std::vector<double> p;
  for (const auto& row : rows)
    if (row.difference.p)
      p.push_back(*row.difference.p);
  const auto adjusted = adjusted_for_false_discovery(p);
  auto next = adjusted.begin();
  for (auto& row : rows)
    if (row.difference.p) {
      row.adjusted_p = *next++;
      row.differs = *row.adjusted_p <= ProfileComparison::false_discovery_rate;
    }
}

/// The order of the list.
bool stands_before(const FunctionShare& a, const FunctionShare& b) {
  const auto weight = [](const FunctionShare& row) {
    return std::abs(row.difference.estimate.value_or(row.base_percent.value_or(0)));
  };
  if (a.differs != b.differs)
    return a.differs;
  return weight(a) > weight(b);
}

void fill_functions(ProfileComparison& comparison, const Side& base, const Side* other,
                    std::size_t most) {
  const auto functions = all_functions(base, other);
  const auto trials = static_cast<double>(base.trials.size() + (other ? other->trials.size() : 0));
  std::vector<FunctionShare> rows;
  std::set<const SampledFunction*> in_rest;
  for (const auto& [function, samples] : functions)
    // Chosen by both sides' samples together, which tell nothing of their difference: rarer ones
    // would only make the tests of all others weaker.
    if (samples >= trials)
      rows.push_back(share_row(base, other, {&function}, comparison.confidence));
    else
      in_rest.insert(&function);
  comparison.tested = rows.size();
  judge(rows);
  std::stable_sort(rows.begin(), rows.end(), stands_before);

  for (auto& row : rows)
    if (row.differs || comparison.functions.size() < most)
      comparison.functions.push_back(std::move(row));
    else
      in_rest.insert(&functions.find(row.function)->first);
  comparison.rest = share_row(base, other, {in_rest.begin(), in_rest.end()}, comparison.confidence);
  comparison.rest.function = {};
  comparison.rest_functions = in_rest.size();
}

ProfileComparison comparison_of(const Side& base, const Side* other, const Cell& shared,
                                std::size_t most) {
  ProfileComparison comparison;
  comparison.shared = shared;
  comparison.cpus = !other || base.cpus == other->cpus ? base.cpus : "";
  comparison.event = base.event;
  comparison.period = base.period;
  comparison.base = base.told;
  if (other)
    comparison.other = other->told;
  for (const Side* side : {&base, other})
    if (side)
      for (const auto& note : side->notes)
        add_once(comparison.notes, note);
  if (other && !base.event.empty() && !other->event.empty() && base.event != other->event) {
    comparison.notes.push_back(fmt::format("not compared: one side was sampled by {}, the other by "
                                           "{}, which see different things",
                                           base.event, other->event));
    return comparison;
  }
  fill_functions(comparison, base, other, most);
  return comparison;
}

std::vector<Cell> sampled_cells(const Store& store, std::int64_t run) {
  auto cells = store.cells(run);
  std::erase_if(cells, [](const Cell& cell) { return !cell.is_profiled(); });
  return cells;
}

std::string run_label(const StoredRun& run) {
  return fmt::format("run {}{}", run.id, run.record.label.empty() ? "" : ", " + run.record.label);
}

/// Whether samples of the two can be compared.
bool comparable(const Cell& a, const Cell& b) {
  return a.workload == b.workload && a.counting == b.counting;
}

} // namespace

ProfileComparison compare_profiles(std::span<const ProfileRecord> base,
                                   std::span<const ProfileRecord> other, std::size_t most) {
  std::array<Side, 2> sides;
  for (auto [side, profiles] : {std::pair(&sides[0], base), std::pair(&sides[1], other)}) {
    for (const auto& profile : profiles)
      add_profile(*side, profile);
    side->told.trials.valid = static_cast<std::int64_t>(profiles.size());
    side->told.unnamed_percent = unnamed_percent(side->trials);
  }
  return comparison_of(sides[0], other.empty() ? nullptr : &sides[1], {}, most);
}

std::vector<ProfileComparison> compare_profiles(const Store& store, std::int64_t run,
                                                std::size_t most) {
  const StoredRun stored = store.run(run);
  const Boot boot = store.boot(stored.boot).boot;
  const auto trials = store.trials(run);
  std::vector<std::vector<Cell>> groups;
  for (const Cell& cell : sampled_cells(store, run)) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& cells) {
      return comparable(cells.front(), cell);
    });
    if (group == groups.end())
      groups.push_back({cell});
    else
      group->push_back(cell);
  }

  std::vector<ProfileComparison> comparisons;
  for (const auto& cells : groups) {
    const auto labels = labels_of(cells);
    const Side base = side_of(trials, cells.front(), labels.front(), boot);
    if (cells.size() == 1)
      comparisons.push_back(comparison_of(base, nullptr, cells.front(), most));
    for (std::size_t i = 1; i < cells.size(); ++i) {
      const Side other = side_of(trials, cells[i], labels[i], boot);
      comparisons.push_back(comparison_of(base, &other, shared_by(cells), most));
    }
  }
  for (auto& comparison : comparisons) {
    comparison.marks = stored.record.marks;
    comparison.marks.push_back(
        "one boot: a difference between boots cannot be told from these figures");
  }
  return comparisons;
}

std::vector<ProfileComparison> compare_profiles_of_runs(const Store& store, std::int64_t base,
                                                        std::int64_t run, std::size_t most) {
  const StoredRun base_run = store.run(base), other_run = store.run(run);
  const Boot base_boot = store.boot(base_run.boot).boot,
             other_boot = store.boot(other_run.boot).boot;
  const auto base_trials = store.trials(base), other_trials = store.trials(run);
  const auto base_cells = sampled_cells(store, base);
  std::vector<ProfileComparison> comparisons;
  for (const Cell& cell : sampled_cells(store, run)) {
    if (std::find(base_cells.begin(), base_cells.end(), cell) == base_cells.end())
      continue;
    const Side before = side_of(base_trials, cell, run_label(base_run), base_boot);
    const Side after = side_of(other_trials, cell, run_label(other_run), other_boot);
    auto& comparison = comparisons.emplace_back(comparison_of(before, &after, cell, most));
    for (const auto* marks : {&base_run.record.marks, &other_run.record.marks})
      for (const auto& mark : *marks)
        add_once(comparison.marks, mark);
    comparison.marks.push_back(
        base_run.boot == other_run.boot
            ? "one boot: what drifted between the two runs cannot be told from a change"
            : "one boot a side: a shift from boot to boot cannot be told from the kernels' "
              "difference");
  }
  return comparisons;
}

} // namespace schedrig
