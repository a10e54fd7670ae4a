#include "workloads/scheduling/pipe_throughput.hpp"

#include <array>
#include <numeric>

#include <fmt/format.h>
#include <unistd.h>

#include "pinning/os_error.hpp"
#include "workloads/parts/channel.hpp"
#include "workloads/parts/extent.hpp"

namespace schedrig {

namespace {

constexpr std::int64_t loops_a_look = 64;

class PipeThroughput final : public Workload {
public:
  explicit PipeThroughput(const ParameterValues& values) : extent_(values, "loops", loops_a_look) {}

  void prepare(const Placement& placement) override {
    placement_ = placement;
    std::iota(sent_.begin(), sent_.end(), static_cast<unsigned char>(1));
    stretch_.open();
  }

  void run() override {
    stretch_.begin();
    extent_.begin();
    for (loops_ = 0; extent_.goes_on(loops_); ++loops_) {
      written_ += checked(::write(pipe_.write_end.number(), sent_.data(), sent_.size()), "write",
                          "the throughput's pipe");
      read_ += checked(::read(pipe_.read_end.number(), received_.data(), received_.size()), "read",
                       "the throughput's pipe");
    }
    elapsed_ = extent_.elapsed();
    stretch_.end();
  }

  WorkReport finish() override {
    stretch_.close();
    auto report = report_of_one_task(*placement_, static_cast<double>(loops_), elapsed_, stretch_);
    if (auto lost = lost_in_pipe(written_, read_))
      report.broken.push_back(*lost);
    if (received_ != sent_)
      report.broken.push_back("the last bytes that were read are not those that were written");
    return report;
  }

private:
  Extent extent_;
  std::optional<Placement> placement_;
  Channel pipe_ = pipe_channel();
  std::array<unsigned char, 512> sent_{}, received_{};
  std::int64_t loops_ = 0, written_ = 0, read_ = 0;
  std::chrono::nanoseconds elapsed_{0};
  Stretch stretch_;
};

} // namespace

std::optional<std::string> lost_in_pipe(std::int64_t written, std::int64_t read) {
  if (written == read)
    return std::nullopt;
  return fmt::format("{} bytes written to the pipe, {} read from it", written, read);
}

WorkloadEntry pipe_throughput() {
  return {
      .name = "pipe-throughput",
      .summary = "one process writes 512 bytes to a pipe and reads them back",
      .work_unit = "loop",
      .parameters = {Extent::seconds(10, "loops"), Extent::units("loops")},
      .positional = {"seconds"},
      .aliases = {},
      .make =
          [](const ParameterValues& values) { return std::make_unique<PipeThroughput>(values); },
      .needs =
          [](const ParameterValues& values) {
            return Needs{.time = Extent::time_of(values, "loops")};
          },
  };
}

} // namespace schedrig
