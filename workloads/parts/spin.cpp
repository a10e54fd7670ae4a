#include "workloads/parts/spin.hpp"

#include <algorithm>
#include <array>
#include <future>
#include <vector>

#include "pinning/cpu_set.hpp"
#include "pinning/task_usage.hpp"

namespace schedrig {

namespace {

constexpr std::int64_t steps_a_look = 10'000;

} // namespace

std::uint64_t spin(std::uint64_t value, std::int64_t steps) noexcept {
  for (std::int64_t step = 0; step < steps; ++step)
    value = value * 6364136223846793005U + 1442695040888963407U;
  return value;
}

bool Spinner::spin_until(Clock::time_point end, std::int64_t steps) noexcept {
  while (steps > 0) {
    const auto now = std::min(steps, steps_a_look);
    value_ = spin(value_, now);
    steps_ += now;
    steps -= now;
    if (Clock::now() >= end)
      return false;
  }
  return true;
}

double spin_step_ns() {
  constexpr std::int64_t steps_a_sample = 50 * steps_a_look;
  std::array<double, 20> samples{};
  Spinner spinner;
  for (double& sample : samples) {
    const auto before = TaskUsage::of_this_thread().cpu_time;
    spinner.spin_until(Spinner::Clock::time_point::max(), steps_a_sample);
    sample = static_cast<double>((TaskUsage::of_this_thread().cpu_time - before).count()) /
             static_cast<double>(steps_a_sample);
  }
  const auto middle = samples.begin() + samples.size() / 2;
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

double spin_step_ns(const Placement& placement, std::size_t tasks) {
  std::vector<std::future<double>> costs(std::min(tasks, placement.order().size()));
  for (std::size_t task = 0; task < costs.size(); ++task)
    costs[task] = std::async(std::launch::async, [cpu = placement.order()[task]] {
      bind_self(CpuSet({cpu}));
      spin_step_ns(); // until its clock rate has gone up
      return spin_step_ns();
    });
  double sum = 0;
  for (auto& cost : costs)
    sum += cost.get();
  return sum / static_cast<double>(costs.size());
}

} // namespace schedrig
