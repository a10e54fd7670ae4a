#include "workloads/copies.hpp"

#include <csignal>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "workloads/scheduling/context_switch.hpp"
#include "workloads/scheduling/pipe_throughput.hpp"
#include "workloads/tests/trial_run.hpp"

using namespace schedrig;
using namespace std::chrono_literals;

namespace {

/// A workload that does in each step what it is told to.
class Told final : public Workload {
public:
  using Step = std::function<void()>;
  Told(Step prepare, Step run, std::function<WorkReport()> finish)
      : prepare_(std::move(prepare)), run_(std::move(run)), finish_(std::move(finish)) {}
  void prepare(const Placement&) override { prepare_(); }
  void run() override { run_(); }
  WorkReport finish() override { return finish_(); }

private:
  Step prepare_, run_;
  std::function<WorkReport()> finish_;
};

const auto nothing = [] {};
const auto empty_report = [] { return WorkReport{}; };

/// Copies of which the one with the number `odd` does `step` at `where`, the others nothing.
std::string refusal(std::size_t odd, const std::string& where, const Told::Step& step) {
  Shared<std::atomic<std::size_t>> made;
  Copies copies(
      3,
      [&]() -> std::unique_ptr<Workload> {
        // Copies are forked in their order, but get here in any: the first to come is the odd one.
        const bool is_odd = made->fetch_add(1) == odd;
        const auto at = [&, is_odd](const std::string& place) -> Told::Step {
          return is_odd && where == place ? step : nothing;
        };
        return std::make_unique<Told>(at("prepare"), at("run"), [at] {
          at("finish")();
          return WorkReport{};
        });
      },
      1ms);
  try {
    copies.prepare(everywhere());
    copies.run();
    copies.finish();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.starts_with("copy ") && text.ends_with(end);
}

Needs needs_of(const WorkloadEntry& entry, const GivenValues& values) {
  return entry.needs(ParameterValues(entry.name, entry.parameters, values));
}

} // namespace

BOOST_AUTO_TEST_SUITE(copies_of_a_workload)

BOOST_AUTO_TEST_CASE(what_all_copies_did_is_one_report) {
  const auto report =
      report_of(with_copies(pipe_throughput()), {{"loops", "100"}, {"copies", "3"}});
  BOOST_TEST(report.work == 300);
  BOOST_TEST(report.broken.empty(), (report.broken.empty() ? "" : report.broken.front()));
  BOOST_TEST(report.usage.cpu_time.count() > 0);
  double work = 0, cpu_time = 0;
  for (const auto& [task, cpu, figure] : report.tasks) {
    BOOST_TEST(task < 3);
    work += figure.name == "copy_work" ? figure.value : 0;
    cpu_time += figure.name == "copy_cpu_time" ? figure.value : 0;
    if (figure.name == "copy_wall_time")
      BOOST_TEST(figure.value <= static_cast<double>(report.elapsed.count()));
  }
  BOOST_TEST(work == 300);
  BOOST_TEST(cpu_time == static_cast<double>(report.usage.cpu_time.count()));
}

BOOST_AUTO_TEST_CASE(a_single_copy_is_the_workload_itself) {
  const auto entry = with_copies(pipe_throughput());
  const auto load = make(entry, {{"loops", "10"}});
  BOOST_TEST(dynamic_cast<Copies*>(load.get()) == nullptr);
  const auto usual = make(pipe_throughput(), {{"loops", "10"}});
  BOOST_TEST((typeid(*load) == typeid(*usual)));
  BOOST_TEST(report_of(entry, {{"loops", "10"}}).tasks.empty());
}

BOOST_AUTO_TEST_CASE(a_copy_begins_where_the_task_of_its_number_would_be) {
  if (everywhere().order().size() < 2)
    return; // one CPU has no other place
  const auto cpus = everywhere().order();
  const Placement pair("same-llc", {cpus[1], cpus[0]}, Placement::Tasks::each_on_one);
  Shared<std::array<int, 6>> seen;
  Shared<std::atomic<std::size_t>> count;
  class Looks final : public Workload {
  public:
    Looks(std::array<int, 6>& seen, std::atomic<std::size_t>& count) : seen_(seen), count_(count) {}
    void prepare(const Placement& placement) override {
      const auto at = 2 * count_.fetch_add(1);
      seen_[at] = own_affinity().cpus().front();
      seen_[at + 1] = placement.for_task(1).cpus().front();
    }
    void run() override {}
    WorkReport finish() override { return {}; }

  private:
    std::array<int, 6>& seen_;
    std::atomic<std::size_t>& count_;
  };
  Copies copies(3, [&] { return std::make_unique<Looks>(*seen, *count); });
  copies.prepare(pair);
  copies.run();
  const auto report = copies.finish();
  for (std::size_t copy = 0; copy < 3; ++copy)
    BOOST_TEST((*seen)[2 * copy] != (*seen)[2 * copy + 1]); // its next task is on the other CPU
  BOOST_TEST(std::count(seen->begin(), seen->end(), cpus[1]) == 3);
  std::vector<int> order;
  for (const auto& [task, cpu, figure] : report.tasks)
    if (figure.name == "copy_work")
      order.push_back(cpu);
  BOOST_TEST(order == (std::vector<int>{cpus[1], cpus[0], cpus[1]}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(figures_and_migrations_add_up_and_sentences_name_their_copy) {
  Copies copies(2, [] {
    return std::make_unique<Told>(nothing, nothing, [] {
      WorkReport report;
      report.work = 5;
      report.migrations = 2;
      report.figures = {{"rate", "1/s", 1.5, WorkFigure::Better::higher}};
      report.tasks = {{0, 1, {"rounds", "1", 7}}};
      report.broken = {std::string(300'000, 'x')}; // longer than any pipe
      return report;
    });
  });
  copies.prepare(everywhere());
  copies.run();
  const auto report = copies.finish();
  BOOST_TEST(report.work == 10);
  BOOST_TEST(report.migrations.value() == 4);
  BOOST_TEST_REQUIRE(report.figures.size() == 1u);
  BOOST_TEST(report.figures.front().value == 3);
  BOOST_TEST_REQUIRE(report.broken.size() == 2u);
  BOOST_TEST(report.broken[1] == "copy 1: " + std::string(300'000, 'x'));
  std::vector<int> rounds;
  for (const auto& [task, cpu, figure] : report.tasks)
    if (figure.name == "rounds")
      rounds.push_back(task);
  BOOST_TEST(rounds == (std::vector<int>{0, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(migrations_that_one_copy_cannot_tell_cannot_be_told) {
  Copies copies(2, [] { return std::make_unique<Told>(nothing, nothing, empty_report); });
  copies.prepare(everywhere());
  copies.run();
  BOOST_TEST(!copies.finish().migrations);
}

BOOST_AUTO_TEST_CASE(a_copy_that_dies_ends_all_and_is_named) {
  for (const std::string where : {"prepare", "run", "finish"}) {
    const auto why = refusal(1, where, [] { std::raise(SIGKILL); });
    BOOST_TEST(ends_with(why, " died of SIGKILL"), where << ": " << why);
  }
}

BOOST_AUTO_TEST_CASE(what_a_copy_throws_is_told) {
  for (const std::string where : {"prepare", "run", "finish"}) {
    const auto why = refusal(1, where, [] { throw std::runtime_error("no space"); });
    BOOST_TEST(ends_with(why, ": no space"), where << ": " << why);
  }
}

BOOST_AUTO_TEST_CASE(a_copy_that_hangs_ends_all_and_is_named) {
  const auto why = refusal(1, "run", [] { ::pause(); });
  BOOST_TEST(why.starts_with("copy "), why);
  BOOST_TEST(why.find(" hangs: ") != std::string::npos, why);
  BOOST_TEST(why.ends_with(" to run"), why);
}

BOOST_AUTO_TEST_CASE(copies_need_as_many_times_as_much) {
  auto plain = pipe_throughput();
  plain.needs = [](const ParameterValues&) {
    return Needs{.tasks = 2, .memory_bytes = 100, .file_bytes = 10, .time = 5s};
  };
  const auto entry = with_copies(plain);
  const auto one = needs_of(entry, {});
  BOOST_TEST(one.tasks == 2);
  BOOST_TEST(one.descriptors == Needs{}.descriptors);
  const auto many = needs_of(entry, {{"copies", "40"}});
  BOOST_TEST(many.tasks == 81);
  BOOST_TEST(many.memory_bytes == 4000);
  BOOST_TEST(many.file_bytes == 400);
  BOOST_TEST((many.time == 5s));
  BOOST_TEST(many.descriptors < 2 * one.descriptors); // of each process, not of all
}

BOOST_AUTO_TEST_SUITE_END()
