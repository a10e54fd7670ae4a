#include "workloads/parts/program.hpp"

#include <algorithm>
#include <csignal>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pinning/os_error.hpp"

namespace schedrig {

namespace {

namespace fs = std::filesystem;

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const auto& word : words)
    pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

void wait_for_byte(const Fd& pipe) {
  char byte = 0;
  while (::read(pipe.number(), &byte, 1) == -1)
    if (errno != EINTR)
      throw OsError(errno, "read", "the gate of a program");
}

/// Every child of this process, also those it inherited; empty where the kernel does not tell
/// (CONFIG_PROC_CHILDREN).
std::vector<pid_t> own_children() {
  std::vector<pid_t> children;
  std::error_code error;
  for (const auto& thread : fs::directory_iterator("/proc/self/task", error))
    try {
      std::istringstream words(read_whole(thread.path() / "children"));
      for (pid_t child = 0; words >> child;)
        children.push_back(child);
    } catch (const OsError&) { // the thread has ended, or no such file
    }
  return children;
}

} // namespace

Program::Usage Program::Usage::of(int who) {
  rusage usage{};
  checked(::getrusage(static_cast<__rusage_who>(who), &usage), "getrusage", "a program");
  const auto time = [](const timeval& value) {
    return std::chrono::seconds(value.tv_sec) + std::chrono::microseconds(value.tv_usec);
  };
  const auto user = time(usage.ru_utime), system = time(usage.ru_stime);
  return {{user + system, usage.ru_nvcsw, usage.ru_nivcsw}, user, system};
}

Program::Program(const CpuSet& cpus, Start start)
    : start_(std::move(start)), gate_(pipe_channel()) {
  checked(::prctl(PR_GET_CHILD_SUBREAPER, &was_subreaper_), "prctl", "PR_GET_CHILD_SUBREAPER");
  checked(::prctl(PR_SET_CHILD_SUBREAPER, 1), "prctl", "PR_SET_CHILD_SUBREAPER");
  children_before_ = Usage::of(RUSAGE_CHILDREN);
  child_.emplace(cpus, [this] { become(); });
  stretch_.open();
}

Program::~Program() {
  child_.reset();
  try {
    end_leftovers();
  } catch (const std::exception&) { // what is left is killed with our process group
  }
  ::prctl(PR_SET_CHILD_SUBREAPER, was_subreaper_);
}

void Program::become() const {
  // dup2 makes descriptors that stay open over the exec; all of ours are above 2.
  const auto input = Fd::open("/dev/null", O_RDONLY), nowhere = Fd::open("/dev/null", O_WRONLY);
  const auto& output = start_.output == Output::log ? start_.log : nowhere;
  checked(::dup2(input.number(), STDIN_FILENO), "dup2", "a program's input");
  checked(::dup2(output.number(), STDOUT_FILENO), "dup2", "a program's output");
  checked(::dup2(start_.log.number(), STDERR_FILENO), "dup2", "a program's errors");
  if (!start_.folder.empty())
    checked(::chdir(start_.folder.c_str()), "chdir", start_.folder.native());
  std::signal(SIGPIPE, SIG_DFL); // an ignored one would stay so

  const auto words = pointers_to(start_.command), environment = pointers_to(start_.environment);
  wait_for_byte(gate_.read_end);
  *before_exec_ = Usage::of(RUSAGE_SELF);
  ::execvpe(words[0], words.data(), start_.environment.empty() ? environ : environment.data());
  throw OsError(errno, "execvpe", start_.command.front());
}

void Program::run() {
  stretch_.begin();
  const auto begin = std::chrono::steady_clock::now();
  if (::write(gate_.write_end.number(), "", 1) != 1)
    throw OsError(errno, "write", "the gate of a program");
  status_ = child_->wait();
  elapsed_ = std::chrono::steady_clock::now() - begin;
  stretch_.end();
}

WorkReport Program::finish(std::string_view name) {
  stretch_.close();
  children_after_ = Usage::of(RUSAGE_CHILDREN);
  const Usage used = children_after_ - children_before_ - *before_exec_;
  const auto seconds = [](auto time) { return std::chrono::duration<double>(time).count(); };

  WorkReport report;
  report.work = 1;
  report.elapsed = elapsed_;
  report.usage = stretch_.usage();
  report.usage += used.task;
  report.figures = {{"user", "s", seconds(used.user), WorkFigure::Better::lower},
                    {"system", "s", seconds(used.system), WorkFigure::Better::lower}};
  if (status_ != 0) {
    const auto words = last_words(start_.log);
    report.broken.push_back(
        fmt::format("{} {}{}{}", name, how_it_ended(status_), words.empty() ? "" : ": ", words));
  }
  if (const int left = end_leftovers(); left > 0)
    report.broken.push_back(
        fmt::format("{} left {} processes running, whose time is not in the figures", name, left));
  return report;
}

int Program::end_leftovers() {
  while (::waitpid(-1, nullptr, WNOHANG) > 0) { // have ended by themselves
  }
  int ended = 0;
  // Again, until there are none: what is killed may have had children, which come to us.
  for (auto left = own_children(); !left.empty(); left = own_children())
    for (const auto process : left) {
      ::kill(process, SIGKILL);
      reap_process(process);
      ++ended;
    }
  return ended;
}

std::string last_words(const Fd& file) {
  constexpr off_t most = 500;
  struct stat status {};
  checked(::fstat(file.number(), &status), "fstat", "what a program wrote");
  const off_t begin = std::max<off_t>(0, status.st_size - most);
  std::string text(static_cast<std::size_t>(status.st_size - begin), '\0');
  const auto size = checked(::pread(file.number(), text.data(), text.size(), begin), "pread",
                            "what a program wrote");
  text.resize(static_cast<std::size_t>(size));

  std::string line; // anything may have been written; the report takes text
  for (const char character : trimmed(text))
    if (character == '\n')
      line += " | ";
    else
      line += character >= ' ' && character < 0x7f ? character : '?';
  return line;
}

} // namespace schedrig
