#include "workloads/copies.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pinning/os_error.hpp"

namespace schedrig {

namespace {

using std::chrono::nanoseconds;
using Clock = std::chrono::steady_clock; // CLOCK_MONOTONIC

constexpr std::int64_t lines = 3;
constexpr auto texts = "the copies' reports";

/// `placement` as the copy of this number has it.
Placement turned(const Placement& placement, std::size_t copy) {
  auto order = placement.order();
  const auto first = static_cast<std::ptrdiff_t>(copy % order.size());
  std::rotate(order.begin(), order.begin() + first, order.end());
  return {placement.name(), order, placement.tasks()};
}

void add_figure(std::vector<WorkFigure>& sums, const WorkFigure& figure) {
  const auto sum = std::find_if(sums.begin(), sums.end(),
                                [&](const WorkFigure& other) { return other.name == figure.name; });
  if (sum == sums.end())
    sums.push_back(figure);
  else
    sum->value += figure.value;
}

/// What copy number `copy` did, as figures of a task.
void add_copy(std::vector<TaskFigure>& tasks, int copy, const CpuSet& cpus,
              const WorkReport& report) {
  const int cpu = cpus.size() == 1 ? cpus.cpus().front() : -1;
  using Better = WorkFigure::Better;
  tasks.push_back({copy, cpu, {"copy_work", "1", report.work, Better::higher}});
  tasks.push_back(
      {copy,
       cpu,
       {"copy_wall_time", "ns", static_cast<double>(report.elapsed.count()), Better::neither}});
  tasks.push_back({copy,
                   cpu,
                   {"copy_cpu_time", "ns", static_cast<double>(report.usage.cpu_time.count()),
                    Better::neither}});
}

} // namespace

Copies::Copies(std::size_t copies, std::function<std::unique_ptr<Workload>()> make,
               std::chrono::milliseconds patience)
    : make_(std::move(make)), patience_(patience), accounts_(copies),
      texts_(checked(::memfd_create("schedrig-copies", MFD_CLOEXEC), "memfd_create", texts)) {
  children_.reserve(copies);
}

void Copies::prepare(const Placement& placement) {
  placement_ = placement;
  awaiting_since_ = Clock::now();
  for (std::size_t copy = 0; copy < accounts_.size(); ++copy)
    try {
      children_.emplace_back(placement.for_task(copy), [this, copy] { live(copy); });
    } catch (const OsError& error) {
      throw OsError(error.error(), error.operation(), fmt::format("copy {}", copy));
    }
  await(ready);
}

void Copies::run() {
  start_ = awaiting_since_ = Clock::now();
  lines_[ready - 1].let_go();
  await(done);
}

WorkReport Copies::finish() {
  awaiting_since_ = Clock::now();
  lines_[done - 1].let_go();
  await(reported);
  lines_[reported - 1].let_go();

  WorkReport sum;
  sum.migrations = 0;
  int inner_tasks = 0;
  for (std::size_t copy = 0; copy < accounts_.size(); ++copy) {
    children_[copy].reap(fmt::format("copy {}", copy));
    const auto report = WorkReport::parse(text_of(copy));
    sum.work += report.work;
    sum.usage += report.usage;
    sum.migrations = sum_of(sum.migrations, report.migrations);
    sum.elapsed =
        std::max(sum.elapsed, nanoseconds(accounts_[copy].end_ns) - start_.time_since_epoch());
    for (const auto& figure : report.figures)
      add_figure(sum.figures, figure);
    add_copy(sum.tasks, static_cast<int>(copy), placement_->for_task(copy), report);
    for (auto task : report.tasks) {
      task.task += inner_tasks;
      sum.tasks.push_back(std::move(task));
    }
    if (!report.tasks.empty())
      inner_tasks = sum.tasks.back().task + 1;
    for (const auto& sentence : report.broken)
      sum.broken.push_back(fmt::format("copy {}: {}", copy, sentence));
  }
  return sum;
}

/// In the child: all of a copy's life. What it throws is told, not thrown.
void Copies::live(std::size_t copy) {
  try {
    const auto workload = make_();
    workload->prepare(turned(*placement_, copy));
    reach(copy, ready);
    workload->run();
    accounts_[copy].end_ns = nanoseconds(Clock::now().time_since_epoch()).count();
    reach(copy, done);
    tell(copy, workload->finish().text());
    reach(copy, reported);
  } catch (const std::exception& error) {
    tell(copy, error.what());
    accounts_[copy].failed = true;
  }
}

void Copies::reach(std::size_t copy, Stage stage) {
  accounts_[copy].stage = stage;
  lines_[stage - 1].wait();
}

void Copies::tell(std::size_t copy, const std::string& text) {
  auto& account = accounts_[copy];
  account.text_bytes = static_cast<std::int64_t>(text.size());
  account.text_at = texts_end_->fetch_add(account.text_bytes);
  for (std::size_t written = 0; written < text.size();)
    written += static_cast<std::size_t>(
        checked(::pwrite(texts_.number(), text.data() + written, text.size() - written,
                         account.text_at + static_cast<std::int64_t>(written)),
                "pwrite", texts));
}

std::string Copies::text_of(std::size_t copy) const {
  const auto& account = accounts_[copy];
  std::string text(static_cast<std::size_t>(account.text_bytes), '\0');
  for (std::size_t read = 0; read < text.size();) {
    const auto more = checked(::pread(texts_.number(), text.data() + read, text.size() - read,
                                      account.text_at + static_cast<std::int64_t>(read)),
                              "pread", texts);
    if (more == 0)
      throw std::runtime_error(fmt::format("copy {}: its report is cut off", copy));
    read += static_cast<std::size_t>(more);
  }
  return text;
}

/// Returns when every copy has come to `stage`.
void Copies::await(Stage stage) {
  first_took_.reset();
  lines_[stage - 1].await(static_cast<std::int64_t>(accounts_.size()), [this, stage] {
    throw_if_any_ended();
    throw_if_any_hangs(stage);
  });
}

void Copies::throw_if_any_ended() {
  siginfo_t ending{}; // one call for all of them, as it comes while others are measured
  checked(::waitid(P_ALL, 0, &ending, WEXITED | WNOHANG | WNOWAIT), "waitid", "the copies");
  for (std::size_t copy = 0; copy < children_.size(); ++copy)
    if (ending.si_pid != 0 && children_[copy].process() == ending.si_pid)
      fail(copy);
}

void Copies::throw_if_any_hangs(Stage stage) {
  const auto came = [stage](const Account& account) { return account.stage >= stage; };
  const auto waited = Clock::now() - awaiting_since_;
  if (!first_took_ && std::any_of(accounts_.begin(), accounts_.end(), came))
    first_took_ = waited;
  if (!first_took_ || waited < std::max<nanoseconds>(patience_, 10 * *first_took_))
    return;
  const auto late = std::find_if_not(accounts_.begin(), accounts_.end(), came);
  if (late != accounts_.end())
    throw std::runtime_error(
        fmt::format("copy {} hangs: {:.0f} s where another took {:.1f} s to {}",
                    late - accounts_.begin(), std::chrono::duration<double>(waited).count(),
                    std::chrono::duration<double>(*first_took_).count(),
                    stage == ready  ? "prepare"
                    : stage == done ? "run"
                                    : "report"));
}

void Copies::fail(std::size_t copy) {
  const int status = children_[copy].wait();
  throw std::runtime_error(accounts_[copy].failed
                               ? fmt::format("copy {}: {}", copy, text_of(copy))
                               : fmt::format("copy {} {}", copy, how_it_ended(status)));
}

WorkloadEntry with_copies(WorkloadEntry entry) {
  entry.parameters.push_back(
      {"copies", "1", "how many of it run at once, each a process", Parameter::Count{1, 1, 1000}});
  entry.make =
      [one = std::move(entry.make)](const ParameterValues& values) -> std::unique_ptr<Workload> {
    const auto copies = static_cast<std::size_t>(values.count("copies"));
    if (copies == 1)
      return one(values);
    return std::make_unique<Copies>(copies, [one, values] { return one(values); });
  };
  entry.needs = [one = std::move(entry.needs)](const ParameterValues& values) {
    auto needs = one ? one(values) : Needs{};
    const auto copies = values.count("copies");
    if (copies == 1)
      return needs;
    needs.tasks = needs.tasks * copies + 1; // the one that waits
    needs.descriptors += lines * StartLine::descriptors + 1;
    needs.memory_bytes *= copies;
    needs.file_bytes *= copies;
    return needs;
  };
  return entry;
}

} // namespace schedrig
