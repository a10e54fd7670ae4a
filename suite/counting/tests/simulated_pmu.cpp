#include "suite/counting/tests/simulated_pmu.hpp"

#include <cerrno>
#include <functional>

namespace schedrig {
namespace {

constexpr std::size_t first_fixed = 32;

/// The code of an event in its low 16 bits, umask above the event; 0 for what has none here.
std::uint64_t code_of(const perf_event_attr& attributes) {
  if (attributes.type == PERF_TYPE_RAW)
    return attributes.config & 0xffff;
  if (attributes.type != PERF_TYPE_HARDWARE)
    return 0;
  switch (attributes.config) {
  case PERF_COUNT_HW_CPU_CYCLES:
    return 0x003c;
  case PERF_COUNT_HW_INSTRUCTIONS:
    return 0x00c0;
  case PERF_COUNT_HW_REF_CPU_CYCLES:
    return 0x0300;
  default:
    return 0;
  }
}

bool takes_a_counter(const FakePerf::Open& event) {
  return event.attributes.type != PERF_TYPE_SOFTWARE &&
         event.attributes.type != PERF_TYPE_TRACEPOINT;
}

} // namespace

SimulatedPmu::SimulatedPmu(FakePerf& perf, int general, Watchdog watchdog)
    : general_(general), watchdog_(watchdog) {
  perf.refuse_open = [this, &perf](const FakePerf::Open& asked) {
    auto group = asked.group == -1 ? std::vector<FakePerf::Open>() : perf.group(asked.group);
    group.push_back(asked);
    return fits(group, Watchdog::off) ? 0 : EINVAL;
  };
  perf.gets_on = [this](const std::vector<FakePerf::Open>& group) {
    return fits(group, watchdog_);
  };
}

SimulatedPmu::Counters SimulatedPmu::allowed(const FakePerf::Open& event) const {
  const Counters every((std::uint64_t{1} << general_) - 1);
  const auto code = code_of(event.attributes);
  const auto fixed = [](std::size_t number) { return Counters().set(first_fixed + number); };
  switch (code) {
  case 0x00c0:
    return every | fixed(0);
  case 0x003c:
    return every | fixed(1);
  case 0x0300:
    return fixed(2);
  case 0x01c0: // INST_RETIRED.PREC_DIST
    return Counters().set(1);
  default:
    break;
  }
  switch (code & 0xff) {
  case 0xc6: // FRONTEND_RETIRED
  case 0xcd: // MEM_TRANS_RETIRED
  case 0xd1: // MEM_LOAD_RETIRED
  case 0xd2: // MEM_LOAD_L3_HIT_RETIRED
  case 0xd3: // MEM_LOAD_L3_MISS_RETIRED
    return every & Counters(0xf);
  default:
    return every;
  }
}

/// Augmenting paths: an event may push another one to a counter that suits that one as well.
bool SimulatedPmu::fits(const std::vector<Counters>& events) const {
  std::vector<int> holder(64, -1);
  std::function<bool(std::size_t, Counters&)> place = [&](std::size_t event, Counters& tried) {
    for (std::size_t counter = 0; counter < 64; ++counter) {
      if (!events[event].test(counter) || tried.test(counter))
        continue;
      tried.set(counter);
      if (holder[counter] == -1 || place(static_cast<std::size_t>(holder[counter]), tried)) {
        holder[counter] = static_cast<int>(event);
        return true;
      }
    }
    return false;
  };
  for (std::size_t event = 0; event < events.size(); ++event) {
    Counters tried;
    if (!place(event, tried))
      return false;
  }
  return true;
}

bool SimulatedPmu::fits(const std::vector<FakePerf::Open>& group, Watchdog watchdog) const {
  std::vector<Counters> events;
  for (const auto& event : group)
    if (takes_a_counter(event))
      events.push_back(allowed(event));
  if (watchdog == Watchdog::on) {
    FakePerf::Open cycles{};
    cycles.attributes.type = PERF_TYPE_HARDWARE;
    cycles.attributes.config = PERF_COUNT_HW_CPU_CYCLES;
    events.push_back(allowed(cycles));
  }
  return fits(events);
}

} // namespace schedrig
