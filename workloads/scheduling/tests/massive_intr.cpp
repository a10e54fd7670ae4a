#include "workloads/scheduling/massive_intr.hpp"

#include <csignal>
#include <fstream>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "workloads/parts/spin.hpp"

using namespace schedrig;
using namespace std::chrono_literals;

namespace {

/// Long enough for each of three tasks to get its turn, short enough for a unit test.
MassiveIntrLoad short_load() {
  return {.tasks = 3, .time = 30ms, .work = 100us, .sleep = 50us, .calibration = 0};
}

Placement everywhere() {
  return {"all", own_affinity().cpus(), Placement::Tasks::free_within};
}

WorkReport report_of(const MassiveIntrLoad& load) {
  const auto workload = massive_intr_of(load);
  workload->prepare(everywhere());
  workload->run();
  return workload->finish();
}

double figure(const WorkReport& report, const std::string& name) {
  for (const auto& figure : report.figures)
    if (figure.name == name)
      return figure.value;
  return -1;
}

bool tells_wrong_unit(const WorkReport& report) {
  for (const auto& sentence : report.broken)
    if (sentence.find("it must be within 5 %") != std::string::npos)
      return true;
  return false;
}

} // namespace

BOOST_AUTO_TEST_SUITE(massive_intr_workload)

BOOST_AUTO_TEST_CASE(each_task_tells_its_rounds_and_where_it_was) {
  const auto report = report_of(short_load());
  BOOST_TEST_REQUIRE(report.tasks.size() == 3u);
  double sum = 0;
  for (int task = 0; task < 3; ++task) {
    const auto& told = report.tasks[static_cast<std::size_t>(task)];
    BOOST_TEST(told.task == task);
    BOOST_TEST(own_affinity().contains(told.cpu));
    BOOST_TEST(told.figure.name == "rounds");
    sum += told.figure.value;
  }
  BOOST_TEST(sum > 0);
  BOOST_TEST(report.work >= sum); // the last rounds count in part
  BOOST_TEST(report.work < sum + 3);
  BOOST_TEST((report.elapsed >= 30ms));
  BOOST_TEST((report.usage.cpu_time > 0ns));
  BOOST_TEST(figure(report, "calibration_ns_per_iteration") > 0);
  BOOST_TEST(figure(report, "retimed_ns_per_iteration") > 0);
}

BOOST_AUTO_TEST_CASE(a_round_that_is_not_done_in_time_does_not_count) {
  auto load = short_load();
  load.time = 2ms;
  load.calibration = 1'000'000'000'000; // an hour
  const auto report = report_of(load);
  BOOST_TEST(report.work > 0);
  BOOST_TEST(report.work < 0.1);
  for (const auto& told : report.tasks)
    BOOST_TEST(told.figure.value == 0);
  BOOST_TEST((report.elapsed < 1min));
}

BOOST_AUTO_TEST_CASE(a_unit_of_work_that_was_calibrated_wrongly_breaks_the_trial) {
  auto load = short_load();
  load.time = 2ms;
  load.calibration = 10; // for 100 us: no machine is so slow
  BOOST_TEST(tells_wrong_unit(report_of(load)));
}

BOOST_AUTO_TEST_CASE(a_step_may_deviate_by_five_percent) {
  BOOST_TEST(!wrong_unit_of_work(1.0, 1.04));
  BOOST_TEST(!wrong_unit_of_work(1.0, 0.96));
  BOOST_TEST(wrong_unit_of_work(1.0, 0.94).has_value());
  BOOST_TEST(wrong_unit_of_work(1.25, 1.4).value() ==
             "a step of the work took 1.4000 ns of CPU time after the run, +12.0 % from the 1.2500 "
             "ns it was calibrated to; it must be within 5 %");
}

BOOST_AUTO_TEST_CASE(a_load_that_is_never_run_leaves_no_task_waiting) {
  massive_intr_of(short_load());
  massive_intr_of(short_load())->prepare(everywhere());
}

BOOST_AUTO_TEST_CASE(a_killed_task_is_named) {
  auto load = short_load();
  load.time = 1ms;
  load.calibration = 1000;
  const auto workload = massive_intr_of(load);
  workload->prepare(everywhere());
  std::ifstream file(fmt::format("/proc/self/task/{}/children", ::getpid()));
  pid_t first = 0;
  if (!(file >> first)) {
    BOOST_TEST_MESSAGE("this kernel does not tell a process's children");
    return;
  }
  ::kill(first, SIGKILL);
  BOOST_CHECK_EXCEPTION(workload->run(), std::runtime_error, [](const auto& error) {
    return error.what() == std::string("task 0 died of SIGKILL before its time");
  });
}

BOOST_AUTO_TEST_CASE(a_task_that_cannot_be_bound_fails_the_preparation) {
  auto load = short_load();
  load.calibration = 1000;
  const Placement nowhere("0", {CpuSet::largest_cpu}, Placement::Tasks::free_within);
  BOOST_CHECK_EXCEPTION(
      massive_intr_of(load)->prepare(nowhere), std::runtime_error, [](const auto& error) {
        return std::string(error.what()).starts_with("task 0 exited with status 1");
      });
}

BOOST_AUTO_TEST_CASE(what_is_calibrated_before_a_run_stands_in_its_parameters) {
  const auto placement = everywhere();
  const auto text = calibrated("massive-intr", "tasks=3 work_us=100", placement);
  const auto entry = massive_intr();
  const auto values = ParameterValues::parse(entry.name, entry.parameters, text);
  BOOST_TEST(values.count("calibration") > 0);
  BOOST_TEST(values.count("tasks") == 3);
  BOOST_TEST(calibrated("massive-intr", text, placement) == text); // what is given stays
  BOOST_TEST(calibrated("empty", "", placement) == "");
}

BOOST_AUTO_TEST_CASE(old_names_and_bare_numbers_are_understood) {
  const auto phrase = parse_phrase("massive_intr 200 300");
  BOOST_TEST(phrase.workload == "massive-intr");
  BOOST_TEST(phrase.values.at("tasks").front() == "200");
  BOOST_TEST(phrase.values.at("seconds").front() == "300");
}

BOOST_AUTO_TEST_CASE(a_spinner_ends_at_its_moment_or_when_its_steps_are_done) {
  Spinner spinner;
  BOOST_TEST(spinner.spin_until(Spinner::Clock::time_point::max(), 25'000));
  BOOST_TEST(spinner.steps() == 25'000);
  BOOST_TEST(!spinner.spin_until(Spinner::Clock::now(), 1'000'000'000'000));
  BOOST_TEST(spinner.steps() == 35'000);
}

BOOST_AUTO_TEST_SUITE_END()
