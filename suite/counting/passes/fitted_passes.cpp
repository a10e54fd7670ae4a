#include "suite/counting/passes/fitted_passes.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pinning/unavailable.hpp"
#include "suite/counting/not_supported.hpp"
#include "suite/counting/pass.hpp"
#include "suite/counting/passes/pmu_user.hpp"

namespace schedrig {
namespace {

constexpr std::string_view leading = "cycles";

/// Counts on the PMU for a moment to see what fits.
class Prober {
public:
  Prober(PerfPort& perf, const CountingAbility& ability, std::string_view counting,
         const CpuSet& cpus, const std::filesystem::path& root)
      : perf_(perf), ability_(ability), counting_(counting), cpus_(cpus), root_(root) {}

  /// The event as it would be counted; nothing where it takes no counter: the machine does not have
  /// it, or it is the kernel's own bookkeeping.
  std::optional<Event> on_pmu(std::string_view name) const {
    const auto event = Event::resolve(name, root_);
    if (event.kind != Event::Kind::hardware)
      return {};
    auto counted = Pass::permitted(event, ability_, cpus_, root_);
    try {
      Pass::why_not(perf_, {*counted}, counting_, cpus_, root_);
    } catch (const NotSupported&) {
      return {};
    }
    return counted;
  }

  bool fits(const std::vector<Event>& events) const {
    try {
      return Pass::why_not(perf_, events, counting_, cpus_, root_).empty();
    } catch (const Unavailable&) { // a group that is larger than the whole PMU
      return false;
    }
  }

private:
  PerfPort& perf_;
  const CountingAbility& ability_;
  std::string_view counting_;
  const CpuSet& cpus_;
  const std::filesystem::path& root_;
};

struct Draft {
  std::vector<std::string> names;
  std::vector<Event> events; ///< those of the names that take counters
};

std::vector<Event> with(std::vector<Event> events, const Event& one) {
  events.push_back(one);
  return events;
}

std::vector<std::string> texts(const std::vector<Draft>& drafts) {
  std::vector<std::string> passes;
  for (const auto& draft : drafts)
    passes.push_back(fmt::format("{}", fmt::join(draft.names, ",")));
  return passes;
}

std::vector<std::string> notes_on(std::size_t asked, const std::vector<Draft>& drafts,
                                  const std::filesystem::path& root) {
  std::size_t most = 0;
  for (const auto& draft : drafts)
    most = std::max(most, draft.events.size());
  std::vector<std::string> notes{
      fmt::format("{} events do not fit on the PMU together: they are counted in {} passes of at "
                  "most {}, each with trials of its own",
                  asked, drafts.size(), most)};
  for (const auto& user : PmuUser::find(root))
    notes.push_back(fmt::format("{} (to change it: {})", user.sentence, user.remedy));
  return notes;
}

} // namespace

FittedPasses FittedPasses::probe(PerfPort& perf, const CountingAbility& ability,
                                 std::string_view asked, std::string_view counting,
                                 const CpuSet& cpus, const std::filesystem::path& root) {
  const auto names = names_in_pass(asked);
  const auto as_asked = [&] {
    return FittedPasses{{fmt::format("{}", fmt::join(names, ","))}, {}};
  };
  if (counting == "off" || names.empty())
    return as_asked();

  const Prober prober(perf, ability, counting, cpus, root);
  std::vector<std::pair<std::string, std::optional<Event>>> wanted;
  Draft whole;
  for (const auto& name : names) {
    wanted.emplace_back(name, prober.on_pmu(name));
    if (wanted.back().second)
      whole.events.push_back(*wanted.back().second);
  }
  if (whole.events.size() < 2 || prober.fits(whole.events))
    return as_asked();

  Draft led;
  if (const auto cycles = prober.on_pmu(leading); cycles && prober.fits({*cycles}))
    led = {{std::string(leading)}, {*cycles}};
  std::vector<Draft> drafts{led};
  for (const auto& [name, event] : wanted) {
    if (name == leading && !led.names.empty())
      continue;
    if (!event) {
      drafts.front().names.push_back(name);
      continue;
    }
    auto draft =
        std::find_if(drafts.begin(), drafts.end(), [&, &counted = *event](const Draft& one) {
          return prober.fits(with(one.events, counted));
        });
    if (draft == drafts.end())
      draft = drafts.insert(drafts.end(), prober.fits(with(led.events, *event)) ? led : Draft{});
    draft->names.push_back(name);
    draft->events.push_back(*event);
  }
  // Where not even the first event fits beside cycles, their draft has cycles alone.
  if (drafts.front().names == led.names &&
      std::find(names.begin(), names.end(), leading) == names.end())
    drafts.erase(drafts.begin());
  return {texts(drafts), notes_on(names.size(), drafts, root)};
}

} // namespace schedrig
