#include "suite/counting/names/sysfs_pmu.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pinning/bad_input.hpp"
#include "pinning/fd.hpp"
#include "pinning/os_error.hpp"

namespace schedrig {
namespace {

namespace fs = std::filesystem;

constexpr const char* devices = "sys/bus/event_source/devices";

/// The text of a file of sysfs without its newline; nothing where there is none to be read.
std::optional<std::string> text_of(const fs::path& path) {
  try {
    return std::string(trimmed(read_whole(path)));
  } catch (const OsError&) {
    return {};
  }
}

/// The names in a folder, in order; none where there is no folder.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    names.push_back(entry.path().filename().native());
  std::sort(names.begin(), names.end());
  return names;
}

/// Calls `take` with each part of a list by commas, and its value where it has one.
template <typename Take>
void for_each_term(std::string_view terms, Take take) {
  for (std::string_view rest = terms;;) {
    const auto comma = rest.find(',');
    const auto part = trimmed(rest.substr(0, comma));
    const auto equals = part.find('=');
    if (equals == part.npos)
      take(part, std::optional<std::string_view>());
    else
      take(part.substr(0, equals), std::optional(part.substr(equals + 1)));
    if (comma == rest.npos)
      return;
    rest.remove_prefix(comma + 1);
  }
}

std::uint64_t number(std::string_view term, std::string_view text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const auto digits = hexadecimal ? text.substr(2) : text;
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, hexadecimal ? 16 : 10);
  if (error != std::errc() || stop != end)
    throw BadInput(fmt::format(
        "{}={}: not a number; allowed is decimal, or 0x and hexadecimal, below 2^64", term, text));
  return value;
}

std::uint64_t low_bits(int width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

/// Files beside an event that say more about it, not events of their own.
bool is_about_an_event(std::string_view name) {
  return name.ends_with(".scale") || name.ends_with(".unit") || name.ends_with(".snapshot") ||
         name.ends_with(".per-pkg");
}

} // namespace

int SysfsPmu::Field::width() const {
  int width = 0;
  for (const auto& [first, last] : bits)
    width += last - first + 1;
  return width;
}

/// "config:0-7,32-35", "config1:9"
SysfsPmu::Field SysfsPmu::field(std::string_view text, const std::string& path) {
  const auto refuse = [&] {
    throw BadInput(fmt::format("{}: '{}' is no format such as config:0-7,32-35", path, text));
  };
  Field field;
  const auto colon = text.find(':');
  const auto word = text.substr(0, colon);
  if (colon == text.npos || (word != "config" && word != "config1" && word != "config2"))
    refuse();
  field.word = word == "config" ? 0 : word == "config1" ? 1 : 2;
  for_each_term(text.substr(colon + 1), [&](std::string_view range, auto) {
    const auto dash = range.find('-');
    const int first = parse_number<int>(range.substr(0, dash), path, 0, 63);
    const int last =
        dash == range.npos ? first : parse_number<int>(range.substr(dash + 1), path, first, 63);
    field.bits.emplace_back(first, last);
  });
  return field;
}

SysfsPmu::SysfsPmu(fs::path folder, std::uint32_t type)
    : name_(folder.filename().native()), type_(type) {
  if (const auto cpus = text_of(folder / "cpus"))
    cpus_ = CpuSet::parse(*cpus, (folder / "cpus").native());
  for (const auto& term : names_in(folder / "format"))
    if (const auto text = text_of(folder / "format" / term))
      // Words that a later kernel may add are no terms for us.
      if (text->starts_with("config:") || text->starts_with("config1:") ||
          text->starts_with("config2:"))
        fields_.emplace(term, field(*text, (folder / "format" / term).native()));
  const auto events = folder / "events";
  for (const auto& event : names_in(events))
    if (!is_about_an_event(event))
      if (const auto terms = text_of(events / event))
        events_.push_back({event, *terms, text_of(events / (event + ".scale")).value_or(""),
                           text_of(events / (event + ".unit")).value_or("")});
}

std::optional<SysfsPmu> SysfsPmu::find(std::string_view name, const fs::path& root) {
  if (name.empty() || name.find('/') != name.npos || name.starts_with("."))
    return {};
  const auto folder = root / devices / name;
  const auto type = text_of(folder / "type");
  if (!type)
    return {};
  return SysfsPmu(folder, parse_number<std::uint32_t>(*type, (folder / "type").native(), 0,
                                                      std::uint32_t{INT32_MAX}));
}

std::vector<SysfsPmu> SysfsPmu::all(const fs::path& root) {
  std::vector<SysfsPmu> pmus;
  for (const auto& name : names_in(root / devices))
    if (auto pmu = find(name, root))
      pmus.push_back(*std::move(pmu));
  return pmus;
}

const SysfsPmu::Named* SysfsPmu::event(std::string_view name) const {
  const auto found = std::find_if(events_.begin(), events_.end(),
                                  [&](const Named& event) { return event.name == name; });
  return found == events_.end() ? nullptr : &*found;
}

SysfsPmu::Encoding SysfsPmu::encode(std::string_view terms) const {
  Encoding encoding;
  std::vector<std::pair<std::string, std::string>> values; // in the order of their first mention
  const auto set = [&](std::string_view term, std::optional<std::string_view> value) {
    const auto text = std::string(value.value_or("1"));
    const auto known = std::find_if(values.begin(), values.end(),
                                    [&](const auto& pair) { return pair.first == term; });
    if (known != values.end())
      known->second = text;
    else
      values.emplace_back(term, text);
  };
  if (trimmed(terms).empty())
    throw BadInput(fmt::format("{}//: no event between the slashes; {}", name_, known_terms()));
  for_each_term(terms, [&](std::string_view term, std::optional<std::string_view> value) {
    const auto* named = value ? nullptr : event(term);
    if (!named) {
      set(term, value);
      return;
    }
    for_each_term(named->terms, set);
    encoding.scale = named->scale;
    encoding.unit = named->unit;
  });
  for (const auto& [term, value] : values) {
    if (value == "?")
      throw BadInput(fmt::format("{}/{}/: the kernel leaves '{}' open; add {}=VALUE", name_, terms,
                                 term, term));
    put(encoding.words, term, number(term, value));
    encoding.terms += fmt::format("{}{}={}", encoding.terms.empty() ? "" : ",", term, value);
  }
  return encoding;
}

void SysfsPmu::put(Words& words, std::string_view term, std::uint64_t value) const {
  std::uint64_t* const all[] = {&words.config, &words.config1, &words.config2};
  if (term == "config" || term == "config1" || term == "config2") {
    *all[term == "config" ? 0 : term == "config1" ? 1 : 2] |= value;
    return;
  }
  const auto found = fields_.find(term);
  if (found == fields_.end()) {
    std::vector<std::string> names{"config", "config1", "config2"};
    for (const auto& [name, field] : fields_)
      names.push_back(name);
    for (const auto& event : events_)
      names.push_back(event.name);
    const auto nearest = nearest_name(term, names);
    throw BadInput(fmt::format(
        "{}: '{}' is no event and no term of this PMU; {}{}", name_, term, known_terms(),
        nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
  }
  const auto& field = found->second;
  const int width = field.width();
  if (value > low_bits(width))
    throw BadInput(fmt::format("{}: {}={:#x} does not fit; allowed is 0 to {:#x}", name_, term,
                               value, low_bits(width)));
  for (const auto& [first, last] : field.bits) {
    const int bits = last - first + 1;
    *all[field.word] |= (value & low_bits(bits)) << first;
    value = bits >= 64 ? 0 : value >> bits;
  }
}

std::string SysfsPmu::known_terms() const {
  std::vector<std::string_view> terms;
  for (const auto& [name, field] : fields_)
    terms.push_back(name);
  return fmt::format("its terms are {}{}config, config1, config2; 'schedrig list events {}/' shows "
                     "its events",
                     fmt::join(terms, ", "), terms.empty() ? "" : ", ", name_);
}

} // namespace schedrig
