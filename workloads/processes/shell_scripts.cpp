#include "workloads/processes/shell_scripts.hpp"

#include <array>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"
#include "workloads/parts/child.hpp"
#include "workloads/parts/extent.hpp"
#include "workloads/parts/work_folder.hpp"

namespace schedrig {

namespace {

constexpr const char* shell = "/bin/sh";
constexpr std::size_t text_bytes = 8'500;
constexpr std::int64_t file_bytes_a_script = 128 * 1024; // the dump is five times the text
constexpr std::int64_t tasks_a_script = 4;               // the shell and a pipeline of three

/// $1: the script's number. $2: how many lines are to be found.
constexpr std::string_view script = R"(set -e
sort text >"$1.sorted"
od "$1.sorted" >"$1.dump"
grep the "$1.sorted" | tee "$1.found" | wc >"$1.counts"
read -r lines rest <"$1.counts"
[ "$lines" -eq "$2" ]
rm "$1.sorted" "$1.dump" "$1.found" "$1.counts"
)";

void write_file(const std::filesystem::path& path, std::string_view content) {
  const auto file = Fd::open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
  while (!content.empty())
    content.remove_prefix(static_cast<std::size_t>(
        checked(::write(file.number(), content.data(), content.size()), "write", path.native())));
}

class ShellScripts final : public Workload {
public:
  explicit ShellScripts(const ParameterValues& values)
      : place_(values.text("folder")), extent_(values, "loops"),
        at_once_(static_cast<std::size_t>(values.count("scripts"))) {}

  void prepare(const Placement& placement) override {
    placement_ = placement;
    const auto text = script_text();
    folder_.emplace(place_);
    write_file(folder_->path() / "text", text);
    write_file(folder_->path() / "script", script);
    found_ = std::to_string(lines_found_in(text));
    for (std::size_t number = 0; number < at_once_; ++number) {
      names_.push_back(std::to_string(number));
      cpus_.push_back(placement.for_task(number));
    }
    scripts_.reserve(at_once_);
    stretch_.open();
    children_before_ = usage_of_reaped_children();
  }

  void run() override {
    stretch_.begin();
    extent_.begin();
    for (loops_ = 0; extent_.goes_on(loops_); ++loops_) {
      for (std::size_t number = 0; number < at_once_; ++number)
        scripts_.emplace_back(cpus_[number], [this, number] { become_script(number); });
      for (std::size_t number = 0; number < at_once_; ++number)
        if (const int status = scripts_[number].wait(); status != 0)
          throw std::runtime_error(
              fmt::format("script {} of loop {} {}", number, loops_, how_it_ended(status)));
      scripts_.clear();
    }
    elapsed_ = extent_.elapsed();
    stretch_.end();
  }

  WorkReport finish() override {
    stretch_.close();
    auto report = report_of_one_task(*placement_, static_cast<double>(loops_), elapsed_, stretch_);
    report.usage += usage_of_reaped_children() - children_before_;
    if (!placement_->pinned())
      report.migrations.reset(); // nobody can tell of the scripts'
    report.figures = {
        {"loops_per_minute", "1/min",
         report.work / std::chrono::duration<double, std::ratio<60>>(elapsed_).count(),
         WorkFigure::Better::higher}};
    return report;
  }

private:
  void become_script(std::size_t number) const {
    checked(::fchdir(folder_->descriptor().number()), "fchdir", folder_->path().native());
    const std::array<const char*, 5> arguments{"sh", "script", names_[number].c_str(),
                                               found_.c_str(), nullptr};
    const std::array<const char*, 3> environment{"PATH=/usr/bin:/bin", "LC_ALL=C", nullptr};
    checked(::execve(shell, const_cast<char* const*>(arguments.data()),
                     const_cast<char* const*>(environment.data())),
            "execve", shell);
  }

  const std::filesystem::path place_;
  Extent extent_;
  const std::size_t at_once_;
  std::optional<Placement> placement_;
  std::optional<WorkFolder> folder_;
  std::string found_;
  std::vector<std::string> names_; ///< what each script calls its files
  std::vector<CpuSet> cpus_;       ///< of each script; script 0 is task 0, as is who starts them
  std::vector<Child> scripts_;     ///< killed before the folder goes
  std::int64_t loops_ = 0;
  std::chrono::nanoseconds elapsed_{0};
  Stretch stretch_;
  TaskUsage children_before_;
};

} // namespace

std::string script_text() {
  constexpr std::array<std::string_view, 16> words{
      "the",  "scheduler", "puts",  "a",     "task",    "that",  "was",  "asleep",
      "onto", "other",     "queue", "where", "nothing", "waits", "then", "runs"};
  constexpr std::size_t words_a_line = 9;
  std::string text;
  std::uint32_t state = 1;
  for (std::size_t word = 1; text.size() < text_bytes; ++word) {
    state = state * 1664525U + 1013904223U;
    text += words[state >> 28];
    text += word % words_a_line == 0 ? '\n' : ' ';
  }
  text.resize(text_bytes - 1);
  return text + '\n';
}

int lines_found_in(const std::string& text) {
  std::istringstream lines(text);
  int found = 0;
  for (std::string line; std::getline(lines, line);)
    found += line.find("the") != std::string::npos;
  return found;
}

WorkloadEntry shell_scripts() {
  return {
      .name = "shell-scripts",
      .summary = "a script of small programs on a small text, run by one or by several at once",
      .work_unit = "loop",
      .parameters = {{"scripts", "1", "how many run at once", Parameter::Count{1, 1, 4096}},
                     Extent::seconds(60, "loops"),
                     Extent::units("loops"),
                     {"folder", "", "where their files are",
                      Parameter::Text{"/dev/shm", "a folder"}}},
      .positional = {"scripts"},
      .aliases = {{"shell-1", "scripts=1"}, {"shell-8", "scripts=8"}},
      .make = [](const ParameterValues& values) { return std::make_unique<ShellScripts>(values); },
      .needs =
          [](const ParameterValues& values) {
            const auto scripts = values.count("scripts");
            return Needs{.tasks = 1 + tasks_a_script * scripts,
                         .file_bytes = file_bytes_a_script * scripts,
                         .folder = values.text("folder"),
                         .programs = {shell, "sort", "od", "grep", "tee", "wc", "rm"},
                         .time = Extent::time_of(values, "loops")};
          },
  };
}

} // namespace schedrig
