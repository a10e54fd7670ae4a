#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pinning/cpu_set.hpp"
#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"
#include "pinning/unavailable.hpp"
#include "suite/counting/ability.hpp"
#include "suite/counting/counter_group.hpp"
#include "suite/counting/tsc.hpp"

using namespace schedrig;
namespace utf = boost::unit_test;

namespace {

/// What the kernel's other book-keeping says that the calling process did.
struct Usage {
  std::uint64_t switches = 0, minor_faults = 0;

  static Usage now() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return {static_cast<std::uint64_t>(usage.ru_nvcsw + usage.ru_nivcsw),
            static_cast<std::uint64_t>(usage.ru_minflt)};
  }
  Usage since(const Usage& before) const {
    return {switches - before.switches, minor_faults - before.minor_faults};
  }
};

/// A forked process, bound to one CPU, that does its work each time it is told to.
class Worker {
public:
  Worker(int cpu, const std::function<void()>& work) {
    std::array<int, 2> orders{}, reports{};
    checked(::pipe2(orders.data(), O_CLOEXEC), "pipe2", "worker");
    const Fd orders_end(orders[0]);
    orders_ = Fd(orders[1]);
    checked(::pipe2(reports.data(), O_CLOEXEC), "pipe2", "worker");
    reports_ = Fd(reports[0]);
    const Fd reports_end(reports[1]);
    process_ = checked(::fork(), "fork", "worker");
    if (process_ == 0)
      serve(cpu, orders_end.number(), reports_end.number(), work);
    report(); // it is bound
    order();  // once for nothing: what happens only the first time has happened
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }

  pid_t process() const { return process_; }

  /// Returns what its work took, without what the order and the report took.
  Usage order() {
    checked(::write(orders_.number(), "w", 1), "write", "worker");
    return report();
  }

private:
  [[noreturn]] static void serve(int cpu, int orders, int reports,
                                 const std::function<void()>& work) {
    try {
      bind_self(CpuSet({cpu}));
    } catch (const OsError&) {
      ::_exit(1);
    }
    Usage took;
    char order = 0;
    while (::write(reports, &took, sizeof took) == sizeof took && ::read(orders, &order, 1) == 1) {
      const auto before = Usage::now();
      work();
      took = Usage::now().since(before);
    }
    ::_exit(1);
  }
  Usage report() {
    Usage took;
    const auto got = checked(::read(reports_.number(), &took, sizeof took), "read", "worker");
    BOOST_TEST_REQUIRE(got == static_cast<ssize_t>(sizeof took));
    return took;
  }

  pid_t process_ = -1;
  Fd orders_, reports_;
};

constexpr std::uint64_t sleeps = 100, pages = 512;

void sleep_often() {
  constexpr timespec shortly{0, 1000};
  for (std::uint64_t i = 0; i < sleeps; ++i)
    ::nanosleep(&shortly, nullptr);
}

void touch_pages() {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t bytes = pages * page;
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    ::_exit(1);
  ::madvise(memory, bytes, MADV_NOHUGEPAGE);
  for (std::size_t offset = 0; offset < bytes; offset += page)
    static_cast<volatile char*>(memory)[offset] = 1;
  ::munmap(memory, bytes);
}

void touch_pages_in_a_child() {
  const pid_t child = ::fork();
  if (child == 0) {
    touch_pages();
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
}

int first_cpu() {
  return own_affinity().cpus().front();
}

CounterGroup on(const Worker& worker, std::string_view pass) {
  return CounterGroup::on_task(kernel_perf(), resolve_pass(pass), worker.process());
}

struct Trial {
  Counted counted;
  Usage took; ///< by the worker's own account
  std::uint64_t count(std::size_t value) const { return counted.values.at(value).count; }
};

/// Counts while `worker` works once. Whole, or the test ends.
Trial count(CounterGroup& counters, Worker& worker) {
  counters.start();
  const auto took = worker.order();
  counters.stop();
  Trial trial{counters.read(), took};
  BOOST_TEST_REQUIRE(trial.counted.refusal == "");
  return trial;
}

/// The page faults of the work itself. Its report and its next wait may add a few, once in a while.
void check_faults(const Trial& trial) {
  BOOST_TEST(trial.took.minor_faults >= pages);
  BOOST_TEST(trial.count(0) >= trial.took.minor_faults);
  BOOST_TEST(trial.count(0) <= trial.took.minor_faults + 8);
}

const CountingAbility& ability() {
  static const auto probed = CountingAbility::probe(kernel_perf(), first_cpu());
  return probed;
}

boost::test_tools::assertion_result whole_cpus_can_be_counted(utf::test_unit_id) {
  boost::test_tools::assertion_result result(ability().cpu_wide);
  result.message() << "whole CPUs cannot be counted here";
  return result;
}

/// A group of our own in the hierarchy of cgroup v2, which has perf_event in every group.
class PerfGroup {
public:
  explicit PerfGroup(const std::filesystem::path& hierarchy)
      : path_(hierarchy / fmt::format("schedrig-counting-test-{}", ::getpid())) {
    std::filesystem::create_directory(path_);
  }
  PerfGroup(const PerfGroup&) = delete;
  PerfGroup& operator=(const PerfGroup&) = delete;
  ~PerfGroup() { ::rmdir(path_.c_str()); }

  const std::filesystem::path& path() const { return path_; }
  void join(pid_t process) const { write_whole(path_ / "cgroup.procs", std::to_string(process)); }

  /// Where such groups can be made by us; empty where they cannot.
  static std::filesystem::path hierarchy() {
    for (const char* folder : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"})
      if (std::filesystem::exists(std::filesystem::path(folder) / "cgroup.controllers") &&
          ::access(folder, W_OK) == 0)
        return folder;
    return {};
  }

private:
  std::filesystem::path path_;
};

boost::test_tools::assertion_result groups_can_be_counted(utf::test_unit_id) {
  boost::test_tools::assertion_result result(ability().cpu_wide && !PerfGroup::hierarchy().empty());
  result.message() << "no group of cgroup v2 can be made and counted here";
  return result;
}

boost::test_tools::assertion_result there_is_a_pmu(utf::test_unit_id) {
  boost::test_tools::assertion_result result(ability().hardware);
  result.message() << "this machine has no hardware PMU";
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(counting_for_real)

BOOST_AUTO_TEST_CASE(counts_a_tasks_context_switches_as_rusage_does) {
  Worker worker(first_cpu(), sleep_often);
  auto counters = on(worker, "context-switches");
  const auto trial = count(counters, worker);
  BOOST_TEST(trial.took.switches > sleeps / 2); // the odd sleep is over before it began
  BOOST_TEST(trial.count(0) >= trial.took.switches);
  BOOST_TEST(trial.count(0) <= trial.took.switches + 2); // its report and its next wait
}

BOOST_AUTO_TEST_CASE(counts_a_tasks_page_faults_as_rusage_does) {
  Worker worker(first_cpu(), touch_pages);
  auto counters = on(worker, "page-faults");
  check_faults(count(counters, worker));
}

BOOST_AUTO_TEST_CASE(reads_a_group_whole_and_in_the_order_asked_for) {
  Worker worker(first_cpu(), touch_pages);
  const auto pass =
      resolve_pass("task-clock,major-faults,cpu-migrations,page-faults,context-switches,"
                   "minor-faults");
  auto counters = CounterGroup::on_task(kernel_perf(), pass, worker.process());
  const auto trial = count(counters, worker);
  BOOST_TEST_REQUIRE(trial.counted.values.size() == pass.size());
  for (std::size_t i = 0; i < pass.size(); ++i)
    BOOST_TEST((trial.counted.values[i].event == pass[i]));
  BOOST_TEST(trial.count(0) > 0u);
  BOOST_TEST(trial.count(2) == 0u);
  BOOST_TEST(trial.count(3) == trial.count(1) + trial.count(5));
  BOOST_TEST(trial.counted.enabled.count() > 0);
  BOOST_TEST(trial.counted.enabled.count() == trial.counted.running.count());
}

BOOST_AUTO_TEST_CASE(counts_what_is_forked_after_the_open) {
  Worker worker(first_cpu(), touch_pages_in_a_child);
  auto counters = on(worker, "page-faults");
  const auto trial = count(counters, worker);
  BOOST_TEST(trial.count(0) >= trial.took.minor_faults + pages); // its own, and its child's
}

BOOST_AUTO_TEST_CASE(counts_nothing_before_the_start_and_after_the_stop) {
  Worker worker(first_cpu(), touch_pages);
  auto counters = on(worker, "page-faults");
  worker.order();
  counters.start();
  counters.stop();
  worker.order();
  const auto counted = counters.read();
  BOOST_TEST(counted.values.empty());
  BOOST_TEST(counted.refusal.find("nothing ran") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(begins_each_start_at_zero) {
  Worker worker(first_cpu(), touch_pages);
  auto counters = on(worker, "page-faults");
  for (int i = 0; i < 3; ++i)
    check_faults(count(counters, worker));
}

BOOST_AUTO_TEST_CASE(runs_for_exactly_as_long_as_it_is_enabled) {
  Worker worker(first_cpu(), touch_pages_in_a_child);
  auto counters = on(worker, "context-switches,page-faults,task-clock");
  for (int trial = 0; trial < 100; ++trial)
    count(counters, worker); // requires it
}

BOOST_AUTO_TEST_CASE(counts_a_cpu_with_all_that_runs_on_it,
                     *utf::precondition(whole_cpus_can_be_counted)) {
  Worker worker(first_cpu(), sleep_often);
  const auto pass = resolve_pass("context-switches,cpu-clock");
  auto of_task = on(worker, "context-switches");
  auto of_cpu = CounterGroup::on_cpus(kernel_perf(), pass, CpuSet({first_cpu()}));
  of_cpu.start();
  const auto trial = count(of_task, worker);
  of_cpu.stop();
  const auto counted = of_cpu.read();
  BOOST_TEST_REQUIRE(counted.refusal == "");
  BOOST_TEST(counted.values.at(0).count >= trial.count(0));
  BOOST_TEST(counted.values.at(1).count > 0u);
  BOOST_TEST(counted.enabled.count() == counted.running.count());
}

BOOST_AUTO_TEST_CASE(sums_over_cpus, *utf::precondition(whole_cpus_can_be_counted)) {
  const auto cpus = own_affinity();
  Worker worker(cpus.cpus().back(), touch_pages);
  auto counters = CounterGroup::on_cpus(kernel_perf(), resolve_pass("page-faults"), cpus);
  BOOST_TEST(count(counters, worker).count(0) >= pages);
}

BOOST_AUTO_TEST_CASE(counts_a_control_group_and_nobody_else,
                     *utf::precondition(groups_can_be_counted)) {
  const PerfGroup group(PerfGroup::hierarchy());
  Worker inside(first_cpu(), touch_pages), outside(first_cpu(), touch_pages);
  group.join(inside.process());
  auto counters = CounterGroup::on_cgroup(kernel_perf(), resolve_pass("page-faults"), group.path(),
                                          own_affinity());
  counters.start();
  outside.order();
  inside.order();
  outside.order();
  counters.stop();
  const auto counted = counters.read();
  BOOST_TEST_REQUIRE(counted.refusal == "");
  BOOST_TEST(counted.values.at(0).count >= pages);
  BOOST_TEST(counted.values.at(0).count < 2 * pages);
}

BOOST_AUTO_TEST_CASE(says_that_a_folder_is_no_control_group,
                     *utf::precondition(whole_cpus_can_be_counted)) {
  BOOST_CHECK_EXCEPTION(CounterGroup::on_cgroup(kernel_perf(), resolve_pass("page-faults"), "/tmp",
                                                CpuSet({first_cpu()})),
                        Unavailable, [](const Unavailable& error) {
                          BOOST_TEST_MESSAGE(error.what());
                          return error.why().find("/tmp is not in a hierarchy of the perf_event "
                                                  "controller") != std::string::npos;
                        });
}

BOOST_AUTO_TEST_CASE(says_that_a_cpu_does_not_exist,
                     *utf::precondition(whole_cpus_can_be_counted)) {
  BOOST_CHECK_THROW(CounterGroup::on_cpus(kernel_perf(), resolve_pass("context-switches"),
                                          CpuSet({CpuSet::largest_cpu})),
                    Unavailable);
}

BOOST_AUTO_TEST_CASE(says_that_a_task_is_gone) {
  const pid_t child = checked(::fork(), "fork", "child");
  if (child == 0)
    ::_exit(0);
  ::waitpid(child, nullptr, 0);
  BOOST_CHECK_EXCEPTION(
      CounterGroup::on_task(kernel_perf(), resolve_pass("context-switches"), child), OsError,
      [](const OsError& error) { return error.error() == ESRCH; });
}

BOOST_AUTO_TEST_CASE(counts_the_default_pass, *utf::precondition(there_is_a_pmu)) {
  Worker worker(first_cpu(), touch_pages);
  auto counters = on(worker, "cycles,instructions,branches");
  const auto trial = count(counters, worker);
  BOOST_TEST(trial.count(0) > 0u);
  BOOST_TEST(trial.count(1) > pages);
  BOOST_TEST(trial.count(2) > pages);
  BOOST_TEST(trial.count(2) < trial.count(1));
}

BOOST_AUTO_TEST_CASE(says_why_hardware_events_are_not_counted) {
  if (ability().hardware)
    return;
  Worker worker(first_cpu(), touch_pages);
  for (const auto* pass : {"cycles", "page-faults,instructions:u"})
    BOOST_CHECK_EXCEPTION(on(worker, pass), Unavailable, [](const Unavailable& error) {
      BOOST_TEST_MESSAGE(error.what());
      return error.why().find("this machine has no hardware PMU (a VM?)") != std::string::npos;
    });
}

#if defined(__x86_64__)
BOOST_AUTO_TEST_CASE(reads_a_tsc_of_a_sensible_rate) {
  auto counters = CounterGroup::on_cpus(kernel_perf(), {}, CpuSet());
  const auto before = std::chrono::steady_clock::now();
  counters.start();
  sleep_often();
  counters.stop();
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - before;
  const double ghz = static_cast<double>(counters.read().tsc_ticks) / took.count();
  BOOST_TEST_MESSAGE("the TSC ticks at " << ghz << " GHz");
  BOOST_TEST(ghz > 0.1);
  BOOST_TEST(ghz < 10);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
