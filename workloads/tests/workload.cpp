#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "pinning/bad_input.hpp"
#include "workloads/command_line.hpp"
#include "workloads/parts/child.hpp"
#include "workloads/workload.hpp"

using namespace schedrig;

BOOST_AUTO_TEST_SUITE(workload)

BOOST_AUTO_TEST_CASE(a_report_survives_its_way_through_the_gate) {
  WorkReport report;
  report.work = 1e5;
  report.elapsed = std::chrono::nanoseconds(123'456'789'012);
  report.usage = {std::chrono::nanoseconds(99), 7, 3};
  report.migrations = 0;
  report.figures = {{"kilobytes", "KB/s", 1.5, WorkFigure::Better::higher}};
  report.tasks = {{3, 1, {"rounds", "1", 751, WorkFigure::Better::neither}}};
  report.broken = {"a \"quoted\" sentence\nin two lines"};
  const auto back = WorkReport::parse(report.text());
  BOOST_TEST(back.work == report.work);
  BOOST_TEST(back.elapsed.count() == report.elapsed.count());
  BOOST_TEST(back.usage.cpu_time.count() == 99);
  BOOST_TEST(back.usage.voluntary_switches == 7);
  BOOST_TEST(back.usage.involuntary_switches == 3);
  BOOST_TEST(back.migrations.value() == 0);
  BOOST_TEST_REQUIRE(back.figures.size() == 1u);
  BOOST_TEST(back.figures[0].name == "kilobytes");
  BOOST_TEST(back.figures[0].value == 1.5);
  BOOST_TEST((back.figures[0].better == WorkFigure::Better::higher));
  BOOST_TEST_REQUIRE(back.tasks.size() == 1u);
  BOOST_TEST(back.tasks[0].task == 3);
  BOOST_TEST(back.tasks[0].cpu == 1);
  BOOST_TEST(back.tasks[0].figure.value == 751);
  BOOST_TEST(back.broken == report.broken, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(migrations_that_are_not_told_stay_untold) {
  BOOST_TEST(!WorkReport::parse(WorkReport{}.text()).migrations.has_value());
}

BOOST_AUTO_TEST_CASE(a_report_that_is_none_is_refused) {
  BOOST_CHECK_THROW(WorkReport::parse("{\"work\": 1}"), BadInput);
  BOOST_CHECK_THROW(WorkReport::parse("Segmentation fault"), BadInput);
  BOOST_CHECK_THROW(WorkReport::parse(""), BadInput);
}

BOOST_AUTO_TEST_CASE(moves_count_only_where_every_task_is_bound_to_one_cpu) {
  const Placement pinned("same-cpu", {3}, Placement::Tasks::free_within);
  const Placement free("all", {0, 1}, Placement::Tasks::free_within);
  BOOST_TEST(moved_though_pinned(pinned, 2).value() ==
             "2 migrations although every task was bound to one CPU (3)");
  BOOST_TEST(!moved_though_pinned(pinned, 0));
  BOOST_TEST(!moved_though_pinned(pinned, std::nullopt));
  BOOST_TEST(!moved_though_pinned(free, 2));
}

BOOST_AUTO_TEST_CASE(a_command_line_parses_back_with_the_order_of_its_cpus) {
  const WorkloadCommand command{"pipe-ping-pong", "loops=5 tasks=threads",
                                Placement("cross-llc", {6, 2}, Placement::Tasks::each_on_one)};
  const auto back = WorkloadCommand::parse(command.arguments());
  BOOST_TEST(back.workload == command.workload);
  BOOST_TEST(back.parameters == command.parameters);
  BOOST_TEST(back.placement.order() == (std::vector{6, 2}), boost::test_tools::per_element());
  BOOST_TEST(back.placement.for_task(1).text() == "2");
  BOOST_CHECK_THROW(WorkloadCommand::parse({"pipe-ping-pong"}), BadInput);
}

BOOST_AUTO_TEST_CASE(a_child_that_fails_is_named) {
  Child good(own_affinity(), [] {});
  good.reap("the good one");
  Child bad(own_affinity(), [] { _exit(3); });
  try {
    bad.reap("the bad one");
    BOOST_ERROR("nothing was thrown");
  } catch (const std::runtime_error& error) {
    BOOST_TEST(error.what() == std::string("the bad one exited with status 3"));
  }
}

BOOST_AUTO_TEST_CASE(a_value_is_shared_with_children_forked_later) {
  Shared<int> value;
  Child child(own_affinity(), [&] { *value = 42; });
  child.reap("the writer");
  BOOST_TEST(*value == 42);
}

BOOST_AUTO_TEST_SUITE_END()
