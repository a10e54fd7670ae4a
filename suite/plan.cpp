#include "suite/plan.hpp"

#include <algorithm>
#include <random>
#include <set>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pinning/bad_input.hpp"
#include "pinning/cgroup/bandwidth.hpp"
#include "pinning/placement.hpp"
#include "results/record/digest.hpp"
#include "suite/counting/event.hpp"

namespace schedrig {

namespace {

using Texts = std::vector<std::string>;

Texts usual_if_empty(const Texts& given, std::string_view usual) {
  return given.empty() ? Texts{std::string(usual)} : given;
}

/// The canonical form of each, refused when two are the same.
template <typename Canonical>
Texts canonical_list(const Texts& given, std::string_view what, Canonical canonical) {
  Texts list;
  for (const auto& text : given) {
    list.push_back(canonical(text));
    if (std::count(list.begin(), list.end(), list.back()) > 1)
      throw BadInput(fmt::format("{} '{}' is given twice", what, text));
  }
  return list;
}

std::string canonical_placement(const std::string& text) {
  const auto& names = Placement::names();
  if (std::find(names.begin(), names.end(), text) != names.end())
    return text;
  if (!text.empty() && text.find_first_not_of("0123456789,-") == std::string::npos)
    return CpuSet::parse(text, "placement").text();
  const auto nearest = nearest_name(text, names);
  throw BadInput(fmt::format("placement '{}' is none of: {}, or a CPU list like 0-3,8{}", text,
                             fmt::join(names, ", "),
                             nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
}

std::string canonical_counting(const std::string& text) {
  const auto& known = Plan::countings;
  if (std::find(std::begin(known), std::end(known), text) == std::end(known))
    throw BadInput(fmt::format("counting '{}' is none of: {}", text, fmt::join(known, ", ")));
  return text;
}

std::string canonical_pass(const std::string& text) {
  Texts names;
  for (const auto& event : resolve_pass(text))
    names.push_back(event.name);
  return fmt::format("{}", fmt::join(names, ","));
}

template <typename Number>
Number within(std::optional<Number> given, Number usual, std::string_view name, Number least,
              Number most) {
  const Number value = given.value_or(usual);
  if (value < least || value > most)
    throw BadInput(
        fmt::format("{}: {} is out of range; allowed is {} to {}", name, value, least, most));
  return value;
}

std::uint64_t random_seed() {
  std::random_device device;
  return device() & 0x7fffffffU; // short enough to be typed again
}

/// Every way to choose one value for each parameter that is named; the last name turns fastest.
std::vector<std::map<std::string, std::string>>
products(const std::map<std::string, Texts>& lists) {
  std::vector<std::map<std::string, std::string>> chosen{{}};
  for (const auto& [name, values] : lists) {
    std::vector<std::map<std::string, std::string>> longer;
    for (const auto& so_far : chosen)
      for (const auto& value : values) {
        longer.push_back(so_far);
        longer.back()[name] = value;
      }
    chosen = std::move(longer);
  }
  return chosen;
}

/// `text` as a TOML basic string.
std::string toml_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char character : text) {
    if (character == '"' || character == '\\')
      quoted += '\\', quoted += character;
    else if (static_cast<unsigned char>(character) < 0x20 || character == 0x7f)
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned char>(character));
    else
      quoted += character;
  }
  return quoted + '"';
}

/// Whether TOML takes `text` for a whole number that is written so and not otherwise.
bool is_whole_number(std::string_view text) {
  return !text.empty() && text.size() <= 18 && (text == "0" || text.front() != '0') &&
         text.find_first_not_of("0123456789") == text.npos;
}

/// The texts as a TOML array; what is a whole number stands as one.
std::string toml_array(const Texts& texts) {
  std::string list;
  for (const auto& text : texts)
    list += (list.empty() ? "" : ", ") + (is_whole_number(text) ? text : toml_string(text));
  return '[' + list + ']';
}

/// The values of a parameter without their escapes: TOML has its own.
Texts as_meant(const Texts& values) {
  Texts texts;
  for (const auto& value : values)
    texts.push_back(unescaped(value));
  return texts;
}

std::vector<WorkloadPhrase> phrases(const Texts& wanted) {
  if (wanted.empty())
    throw BadInput("a workload is missing; 'schedrig list workloads' shows them");
  std::vector<WorkloadPhrase> phrases;
  for (const auto& text : wanted)
    phrases.push_back(parse_phrase(text));
  return phrases;
}

bool is_experiment(const WorkloadPhrase& phrase) {
  return find_workload(phrase.workload).experiment.has_value();
}

bool all_experiments(const std::vector<WorkloadPhrase>& phrases) {
  return std::all_of(phrases.begin(), phrases.end(), is_experiment);
}

/// Where a plan runs that does not say.
std::string_view usual_placement(const std::vector<WorkloadPhrase>& phrases,
                                 const Plan::Wish& wish) {
  if (all_experiments(phrases))
    return "all";
  const auto experiment = std::find_if(phrases.begin(), phrases.end(), is_experiment);
  if (wish.placements.empty() && experiment != phrases.end())
    throw BadInput(fmt::format("placement: usual is 'all' for {} but 'same-cpu' for the other "
                               "workloads of this plan; say where they run",
                               experiment->workload));
  return "same-cpu";
}

/// How many CPUs a placement has, by its canonical text.
std::size_t cpus_of(const std::string& placement) {
  if (placement == "all")
    return own_affinity().size();
  if (placement == "same-cpu")
    return 1;
  const auto& names = Placement::names();
  const bool pair = std::find(names.begin(), names.end(), placement) != names.end();
  return pair ? 2 : CpuSet::parse(placement, "placement").size();
}

/// All parameters of a workload as a cell has them.
std::string parameters_text(const std::string& workload,
                            const std::map<std::string, std::string>& given) {
  const auto& entry = find_workload(workload);
  return ParameterValues(entry.name, entry.parameters, given).text();
}

} // namespace

Plan::Plan(const Wish& wish)
    : workloads_(phrases(wish.workloads)),
      placements_(canonical_list(usual_if_empty(wish.placements, usual_placement(workloads_, wish)),
                                 "placement", canonical_placement)),
      bandwidths_(
          canonical_list(usual_if_empty(wish.bandwidths, "none"), "bandwidth",
                         [](const std::string& text) { return Bandwidth::parse(text).text(); })),
      countings_(
          canonical_list(usual_if_empty(wish.countings, "auto"), "counting", canonical_counting)),
      passes_(canonical_list(usual_if_empty(wish.passes, usual_pass), "events", canonical_pass)),
      repeat_(within(wish.repeat, 10, "repeat", 1, most_repeats)),
      warm_up_(
          within(wish.warm_up, all_experiments(workloads_) ? 0 : 1, "warm_up", 0, most_warm_ups)),
      seed_(wish.seed ? *wish.seed : random_seed()),
      deadline_(within(wish.deadline, std::chrono::seconds(300), "deadline",
                       std::chrono::seconds(1), most_deadline)),
      label_(wish.label), profile_(wish.profile) {
  if (wish.repeat && all_experiments(workloads_))
    throw BadInput(fmt::format("repeat: the tests of {0} have numbers of their own; '{0} "
                               "passes={1}' changes them",
                               workloads_.front().workload, *wish.repeat));
  for (auto& phrase : workloads_)
    take_apart(phrase);

  const auto has = [](const Texts& list, std::string_view text) {
    return std::find(list.begin(), list.end(), text) != list.end();
  };
  if (has(countings_, "cgroup") && has(bandwidths_, "none"))
    throw BadInput("counting 'cgroup' counts a control group, and bandwidth 'none' has none; ask "
                   "for --bandwidth group, or a limit");

  double product = 0; // before the cells are made: it may not fit in memory
  for (const auto& phrase : parts_) {
    auto of_phrase = static_cast<double>(placements_.size() * bandwidths_.size() *
                                         countings_.size() * (passes_.size() + profile_));
    for (const auto& [name, values] : phrase.values)
      of_phrase *= static_cast<double>(values.size());
    product += of_phrase;
  }
  if (product > static_cast<double>(most_cells))
    throw BadInput(
        fmt::format("the lists make {:.0f} cells; allowed is 1 to {}", product, most_cells));

  std::set<Cell> seen;
  for (const auto& cell : cells("cpu"))
    if (!seen.insert(cell).second)
      throw BadInput(fmt::format("workload {}{} is given twice", cell.workload,
                                 cell.parameters.empty() ? "" : " with " + cell.parameters));
}

/// Adds what `phrase` stands for to the parts, and spells it out where it is an experiment.
void Plan::take_apart(WorkloadPhrase& phrase) {
  const auto& experiment = find_workload(phrase.workload).experiment;
  if (!experiment) {
    parts_.push_back(phrase);
    return;
  }
  if (placements_.size() == 1)
    experiment->spell_out(phrase, cpus_of(placements_.front()));
  for (auto& [part, trials] : experiment->parts(phrase)) {
    for (const auto& given : products(part.values))
      trials_[{part.workload, parameters_text(part.workload, given)}] = trials;
    parts_.push_back(std::move(part));
  }
}

int Plan::repeat_of(const Cell& cell) const {
  const auto own = trials_.find({cell.workload, cell.parameters});
  return own == trials_.end() ? repeat_ : own->second;
}

std::vector<Cell> Plan::cells(std::string_view automatic) const {
  auto passes = passes_;
  if (profile_)
    passes.emplace_back(profile_pass);
  std::vector<Cell> cells;
  std::set<Cell> sampled_cells; // several ways of counting may come to one of sampling
  const auto add_cell = [&](Cell cell) {
    if (!cell.is_profiled() || sampled_cells.insert(cell).second)
      cells.push_back(std::move(cell));
  };
  for (const auto& phrase : parts_) {
    for (const auto& given : products(phrase.values))
      for (const auto& placement : placements_)
        for (const auto& counting : countings_)
          for (const auto& pass : passes)
            for (const auto& bandwidth : bandwidths_) {
              const bool sampled = pass == profile_pass;
              const std::string counted(
                  counting == "auto" || (sampled && counting == "off") ? automatic : counting);
              add_cell({phrase.workload, parameters_text(phrase.workload, given), placement,
                        bandwidth, counted, counted == "off" && !sampled ? "" : pass});
            }
  }
  return cells;
}

std::string Plan::toml() const {
  std::string text = fmt::format("placement = {}\nbandwidth = {}\ncounting = {}\nevents = {}\n",
                                 toml_array(placements_), toml_array(bandwidths_),
                                 toml_array(countings_), toml_array(passes_));
  if (!all_experiments(workloads_))
    text += fmt::format("repeat = {}\n", repeat_);
  text +=
      fmt::format("warm_up = {}\nseed = {}\ndeadline_s = {}\n", warm_up_, seed_, deadline_.count());
  if (profile_)
    text += "profile = true\n";
  if (!label_.empty())
    text += fmt::format("label = {}\n", toml_string(label_));
  for (const auto& phrase : workloads_) {
    text += fmt::format("\n[[workload]]\nname = \"{}\"\n", phrase.workload);
    for (const auto& [name, values] : phrase.values)
      text += fmt::format("{} = {}\n", name, toml_array(as_meant(values)));
  }
  return text;
}

std::string Plan::digest() const {
  return sha256_hex(toml());
}

} // namespace schedrig
