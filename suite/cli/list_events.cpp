#include "suite/cli/list_events.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "pinning/bad_input.hpp"
#include "suite/counting/event.hpp"
#include "suite/counting/names/known_event.hpp"
#include "suite/counting/names/tracepoint.hpp"
#include "suite/counting/pass.hpp"
#include "suite/counting/passes/fitted_passes.hpp"
#include "suite/machine.hpp"

namespace schedrig {

namespace {

using Presence = KnownEvent::Presence;

std::string_view mark_of(Presence presence) {
  return presence == Presence::here ? "yes" : presence == Presence::not_here ? "--" : "?";
}

std::string heading_of(std::string_view source) {
  if (source == "perf")
    return "the kernel's own names";
  if (source == "tracepoint")
    return "tracepoints, from tracefs";
  const auto space = source.find(' ');
  const auto pmu = source.substr(space + 1);
  return source.starts_with("libpfm4") ? fmt::format("{}, by libpfm4", pmu)
                                       : fmt::format("{}, by the kernel (sysfs)", pmu);
}

/// `text` in lines of `width`, broken at blanks where there are any.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    auto at = text.rfind(' ', width);
    if (at == text.npos || at == 0)
      at = width;
    lines.emplace_back(text.substr(0, at));
    text.remove_prefix(std::min(text.size(), at + (text[at] == ' ')));
  }
  if (!text.empty() || lines.empty())
    lines.emplace_back(text);
  return lines;
}

/// A mark, a name and what it means, which goes on below itself where the line ends.
void print_row(std::string_view mark, std::string_view name, std::string_view meaning,
               std::size_t name_width, std::size_t width) {
  const std::size_t left = 5 + name_width + 2;
  const auto lines = wrapped(meaning, std::max<std::size_t>(width - std::min(width, left), 20));
  std::size_t line = 0;
  if (meaning.empty() || name.size() > name_width) {
    fmt::print("{:<3}  {}\n", mark, name);
    if (meaning.empty())
      return;
  } else {
    fmt::print("{:<3}  {:<{}}  {}\n", mark, name, name_width, lines[line++]);
  }
  for (; line < lines.size(); ++line)
    fmt::print("{:{}}{}\n", "", left, lines[line]);
}

/// `text` behind `head`, further lines below its begin; names by commas are set apart.
void print_list(std::string_view head, std::string_view text, std::size_t width) {
  std::string apart;
  bool in_slashes = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    in_slashes ^= text[at] == '/';
    apart += text[at];
    if (text[at] == ',' && !in_slashes && at + 1 < text.size() && text[at + 1] != ' ')
      apart += ' ';
  }
  const auto lines =
      wrapped(apart, std::max<std::size_t>(width - std::min(width, head.size()), 20));
  for (std::size_t line = 0; line < lines.size(); ++line)
    fmt::print("{:{}}{}\n", line == 0 ? head : "", head.size(), lines[line]);
}

std::size_t width_of_names(const std::vector<KnownEvent>& events) {
  std::size_t longest = 0;
  for (const auto& event : events)
    if (!event.meaning.empty())
      longest = std::max(longest, event.name.size());
  return std::min<std::size_t>(longest, 28);
}

} // namespace

void list_events(std::string_view pattern, int width) {
  auto events = KnownEvent::search(kernel_perf(), pattern);
  if (events.empty()) {
    const auto why = Tracepoint::why_none();
    throw BadInput(fmt::format("no event here has '{}' in its name or its meaning{}", pattern,
                               why.empty() ? "" : "; " + why));
  }
  // There are thousands: only for those who look for one.
  std::size_t tracepoints = 0;
  if (pattern.empty())
    tracepoints =
        std::erase_if(events, [](const KnownEvent& event) { return event.source == "tracepoint"; });

  const auto name_width = width_of_names(events);
  const auto columns = static_cast<std::size_t>(width);
  std::string_view source;
  for (const auto& event : events) {
    if (event.source != source)
      fmt::print("{}{}\n", source.empty() ? "" : "\n", heading_of(event.source));
    source = event.source;
    print_row(mark_of(event.presence), event.name, event.meaning, name_width, columns);
    if (!pattern.empty())
      for (const auto& [name, meaning] : event.attributes)
        print_row("", "  :" + name, meaning, name_width, columns);
  }
  fmt::print("\nyes: this machine has it; --: it has not; ?: this user may not know\n");
  if (tracepoints > 0)
    fmt::print("and {} tracepoints: 'schedrig list events sched:' shows those of the scheduler\n",
               tracepoints);
  else if (pattern.empty())
    fmt::print("{}\n", Tracepoint::why_none());
  if (pattern.empty())
    fmt::print("'schedrig list events WORD' searches, and shows what may follow a name\n");
}

void list_passes(const std::vector<std::string>& lists, const std::string& counting,
                 const std::string& placement, int width) {
  const auto columns = static_cast<std::size_t>(width);
  const auto machine = Machine::here();
  const auto how = counting == "auto" ? std::string(machine.counting.default_counting()) : counting;
  const auto cpus = machine.place(placement).cpus();
  for (const auto& list : lists) {
    const auto fitted = FittedPasses::probe(*machine.perf, machine.counting, list, how, cpus);
    fmt::print("{} events, counting {}, on CPU{} {}: {} pass{}\n", names_in_pass(list).size(), how,
               cpus.size() > 1 ? "s" : "", cpus.text(), fitted.passes.size(),
               fitted.passes.size() == 1 ? "" : "es");
    int number = 0;
    for (const auto& pass : fitted.passes) {
      print_list(fmt::format("  pass {}: ", ++number), pass, columns);
      const auto counted = Pass::probe(*machine.perf, machine.counting, pass, how, cpus);
      for (const auto& note : counted.notes())
        print_list("    ", note, columns);
    }
    for (const auto& note : fitted.notes)
      print_list("", note, columns);
  }
}

} // namespace schedrig
