#include "workloads/processes/kernel_build.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "pinning/bad_input.hpp"
#include "pinning/os_error.hpp"
#include "workloads/parts/program.hpp"
#include "workloads/parts/source_tree.hpp"
#include "workloads/parts/work_folder.hpp"

namespace schedrig {

namespace {

namespace fs = std::filesystem;

/// The most that a job has at one time: make or the shell, the compiler's driver, the compiler, the
/// assembler.
constexpr std::int64_t tasks_a_job = 4, memory_a_job = 128 << 20;
constexpr std::int64_t bytes_a_unit = 64 << 10;
/// Of a kernel's build with a distribution's configuration, without debugging information.
constexpr std::int64_t bytes_of_a_kernel = std::int64_t{2} << 30;

void write_file(const fs::path& path, std::string_view text) {
  const auto file = Fd::open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  while (!text.empty())
    text.remove_prefix(static_cast<std::size_t>(
        checked(::write(file.number(), text.data(), text.size()), "write", path.native())));
}

std::int64_t objects_below(const fs::path& folder) {
  std::int64_t objects = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    objects += entry.path().extension() == ".o" ? 1 : 0;
  return objects;
}

class KernelBuild final : public Workload {
public:
  explicit KernelBuild(const ParameterValues& values)
      : place_(values.text("folder")), tree_(values.text("tree")), config_(values.text("config")),
        target_(values.text("target")), units_(static_cast<int>(values.count("units"))),
        jobs_(values.count("jobs")) {}

  void prepare(const Placement& placement) override {
    if (jobs_ == 0)
      jobs_ = placement.cpus().size();
    folder_.emplace(place_);
    for (const auto* part : {"build", "put-aside"})
      fs::create_directory(folder_->path() / part);
    if (tree_.empty()) {
      make_tree();
      program_.emplace(placement.cpus(), make({}));
    } else {
      configure(placement);
      program_.emplace(placement.cpus(), make({target_}));
    }
  }

  void run() override { program_->run(); }

  WorkReport finish() override {
    auto report = program_->finish("the build");
    const auto objects = objects_below(build());
    report.figures.push_back({"objects", "1", static_cast<double>(objects)});
    if (report.broken.empty())
      if (auto wrong = wrong_objects(objects, expected_objects()))
        report.broken.push_back(*wrong);
    return report;
  }

private:
  fs::path build() const { return folder_->path() / "build"; }

  std::optional<std::int64_t> expected_objects() const {
    return tree_.empty() ? std::optional<std::int64_t>(units_) : std::nullopt;
  }

  void make_tree() const {
    for (const auto& file : source_tree(units_)) {
      fs::create_directories((build() / file.name).parent_path());
      write_file(build() / file.name, file.text);
    }
  }

  /// Makes the kernel's .config from a target of its own or from the user's file.
  void configure(const Placement& placement) const {
    const bool from_file = config_.find('/') != config_.npos;
    if (from_file)
      write_file(build() / ".config", read_whole(config_));
    Program program(placement.cpus(), make({from_file ? "olddefconfig" : config_}));
    program.run();
    if (const auto report = program.finish("its configuration"); !report.broken.empty())
      throw std::runtime_error(report.broken.front());
  }

  Program::Start make(const std::vector<std::string>& targets) const {
    const char* path = std::getenv("PATH");
    Program::Start start{.command = {"make", "-s", fmt::format("-j{}", jobs_), "-C"},
                         .environment = {fmt::format("PATH={}", path ? path : "/usr/bin:/bin"),
                                         "LC_ALL=C", "HOME=" + folder_->path().native(),
                                         "TMPDIR=" + (folder_->path() / "put-aside").native()},
                         .output = Program::Output::log,
                         .log =
                             Fd::open(folder_->path() / "log", O_RDWR | O_CREAT | O_APPEND, 0600)};
    if (tree_.empty())
      start.command.push_back(build());
    else
      start.command.insert(start.command.end(), {tree_, "O=" + build().native()});
    start.command.insert(start.command.end(), targets.begin(), targets.end());
    return start;
  }

  const fs::path place_;
  const std::string tree_, config_, target_;
  const int units_;
  std::int64_t jobs_;
  std::optional<WorkFolder> folder_;
  std::optional<Program> program_; ///< ends before the folder goes
};

Needs needs_of_build(const ParameterValues& values) {
  const auto tree = values.text("tree");
  if (!tree.empty() && !fs::exists(fs::path(tree) / "Makefile"))
    throw BadInput(
        fmt::format("workload kernel-build: parameter tree: '{}' has no Makefile", tree));
  const auto given = values.count("jobs");
  const std::int64_t jobs = given > 0 ? given : ::sysconf(_SC_NPROCESSORS_ONLN); // at most
  return {.tasks = 2 + jobs * tasks_a_job,
          .memory_bytes = jobs * memory_a_job,
          .file_bytes = tree.empty() ? values.count("units") * bytes_a_unit : bytes_of_a_kernel,
          .folder = values.text("folder"),
          .programs = {"make", "gcc"}};
}

} // namespace

std::optional<std::string> wrong_objects(std::int64_t objects,
                                         std::optional<std::int64_t> expected) {
  if (expected && objects != *expected)
    return fmt::format("the build left {} objects; it must be {}", objects, *expected);
  if (objects == 0)
    return "the build left no object";
  return std::nullopt;
}

WorkloadEntry kernel_build() {
  return {
      .name = "kernel-build",
      .summary = "a source tree compiled by make -jN: one of its own, or a kernel's",
      .work_unit = "build",
      .parameters = {{"tree", "", "a kernel's source, clean; none: a C tree of its own",
                      Parameter::Text{"", "a folder, or nothing"}},
                     {"jobs", "1", "how many at once; 0: as many as the placement has CPUs",
                      Parameter::Count{0, 0, 4096}},
                     {"units", "1", "how many C files its own tree has",
                      Parameter::Count{200, 1, 10'000}},
                     {"config", "", "how a kernel is configured",
                      Parameter::Text{"defconfig",
                                      "a target of its Makefile, or a file's path with a '/'"}},
                     {"target", "", "what of a kernel is built",
                      Parameter::Text{"vmlinux", "a target of its Makefile"}},
                     {"folder", "", "where the build is", Parameter::Text{"/dev/shm", "a folder"}}},
      .positional = {"tree"},
      .aliases = {},
      .make = [](const ParameterValues& values) { return std::make_unique<KernelBuild>(values); },
      .needs = needs_of_build,
  };
}

} // namespace schedrig
