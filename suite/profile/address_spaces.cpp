#include "suite/profile/address_spaces.hpp"

#include <algorithm>
#include <charconv>

namespace schedrig {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

/// A hexadecimal number at the front of `text`, which is taken off it with the `after` behind it.
std::optional<std::uint64_t> taken_number(std::string_view& text, char after) {
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  const auto size = static_cast<std::size_t>(stop - text.data());
  if (error != std::errc() || size >= text.size() || text[size] != after)
    return std::nullopt;
  text.remove_prefix(size + 1);
  return number;
}

/// Takes `fields` words off the front of `text`, with the blanks behind each.
void skip_words(std::string_view& text, int fields) {
  for (; fields > 0; --fields) {
    text.remove_prefix(std::min(text.find(' '), text.size()));
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
}

} // namespace

void AddressSpaces::lay(Mappings& mappings, const PerfRecord::Mapping& mapping) {
  const auto end = mapping.start + mapping.bytes;
  auto next = mappings.upper_bound(mapping.start);
  if (next != mappings.begin()) {
    PerfRecord::Mapping& before = std::prev(next)->second;
    if (const auto before_end = before.start + before.bytes; before_end > mapping.start) {
      if (before_end > end) { // it lies within: what stands out behind it stays
        auto rest = before;
        rest.start = end;
        rest.bytes = before_end - end;
        rest.offset += end - before.start;
        next = mappings.insert_or_assign(end, std::move(rest)).first;
      }
      before.bytes = mapping.start - before.start;
    }
  }
  while (next != mappings.end() && next->first < end) {
    auto covered = std::move(next->second);
    next = mappings.erase(next);
    if (const auto covered_end = covered.start + covered.bytes; covered_end > end) {
      covered.offset += end - covered.start;
      covered.bytes = covered_end - end;
      covered.start = end;
      next = mappings.insert_or_assign(end, std::move(covered)).first;
      break;
    }
  }
  mappings.insert_or_assign(mapping.start, mapping);
}

void AddressSpaces::follow(const PerfRecord& record) {
  std::visit(Overloaded{[&](const PerfRecord::Mapping& mapping) {
                          lay(processes_[record.process], mapping);
                        },
                        [&](const PerfRecord::Exec&) { processes_[record.process].clear(); },
                        [&](const PerfRecord::Fork& fork) {
                          if (fork.parent == record.process)
                            return; // a thread
                          if (const auto parent = processes_.find(fork.parent);
                              parent != processes_.end())
                            processes_[record.process] = Mappings(parent->second);
                          else
                            processes_.erase(record.process); // its number was another's before
                        },
                        [](const auto&) {}},
             record.what);
}

std::optional<AddressSpaces::Place> AddressSpaces::find(pid_t process,
                                                        std::uint64_t address) const {
  const auto space = processes_.find(process);
  if (space == processes_.end())
    return std::nullopt;
  const auto after = space->second.upper_bound(address);
  if (after == space->second.begin())
    return std::nullopt;
  const auto& [start, mapping] = *std::prev(after);
  if (address - start >= mapping.bytes)
    return std::nullopt;
  return Place{mapping.file, address - start + mapping.offset};
}

std::vector<PerfRecord> mappings_of(pid_t process, std::string_view maps) {
  std::vector<PerfRecord> records;
  while (!maps.empty()) {
    auto line = maps.substr(0, maps.find('\n'));
    maps.remove_prefix(std::min(line.size() + 1, maps.size()));
    const auto start = taken_number(line, '-'), end = taken_number(line, ' ');
    if (!start || !end || *end <= *start || line.size() < 5 || line[2] != 'x')
      continue;
    line.remove_prefix(5); // "r-xp "
    const auto offset = taken_number(line, ' ');
    if (!offset)
      continue;
    skip_words(line, 2); // device and inode
    records.push_back({.process = process,
                       .thread = process,
                       .what = PerfRecord::Mapping{*start, *end - *start, *offset,
                                                   line.empty() ? "//anon" : std::string(line)}});
  }
  return records;
}

} // namespace schedrig
