// schedrig-execl: a program that replaces itself by itself. See execl_loop.hpp for what it is for,
// execl_report.hpp for its arguments.
//
// It is kept as small as a program of this language can be: no constructor runs, nothing is
// allocated, nothing is printed.

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "workloads/processes/execl_report.hpp"

namespace {

std::int64_t number_from(const char* word) {
  std::int64_t number = 0;
  std::from_chars(word, word + std::strlen(word), number);
  return number;
}

std::int64_t clock_ns(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

int report(int pipe, std::int64_t execs, std::int64_t end_ns, int error) {
  const auto cpu_time_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID); // first: what follows is not work
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const schedrig::ExeclReport report{.error = error,
                                     .process = ::getpid(),
                                     .execs = execs,
                                     .end_ns = end_ns,
                                     .cpu_time_ns = cpu_time_ns,
                                     .voluntary_switches = usage.ru_nvcsw,
                                     .involuntary_switches = usage.ru_nivcsw};
  return ::write(pipe, &report, sizeof report) == sizeof report ? 0 : 1;
}

} // namespace

int main(int count, char** words) {
  if (count != 5)
    return count == 1 ? 0 : 2;
  const int pipe = static_cast<int>(number_from(words[1]));
  const auto execs_wanted = number_from(words[2]);
  const auto last_moment_ns = number_from(words[3]);
  const auto execs = number_from(words[4]) + 1;

  const auto now_ns = clock_ns(CLOCK_MONOTONIC);
  if (execs_wanted > 0 ? execs == execs_wanted : now_ns >= last_moment_ns)
    return report(pipe, execs, now_ns, 0);

  char execs_text[24];
  *std::to_chars(execs_text, execs_text + sizeof execs_text - 1, execs).ptr = '\0';
  words[4] = execs_text;
  char* const environment[] = {nullptr};
  ::execve(words[0], words, environment);
  return report(pipe, execs, now_ns, errno);
}
