#include "suite/plan_file.hpp"

#include <array>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "pinning/bad_input.hpp"
#include "pinning/fd.hpp"

namespace schedrig {

namespace {

constexpr std::array plan_keys{"placement", "bandwidth",  "counting", "events",
                               "repeat",    "warm_up",    "seed",     "label",
                               "workload",  "deadline_s", "profile"};

/// The file being read, for the place in every message.
class Reader {
public:
  explicit Reader(std::string_view name) : name_(name) {}

  [[noreturn]] void refuse(const toml::source_region& where, std::string_view why) const {
    throw BadInput(fmt::format("{}:{}:{}: {}", name_, where.begin.line, where.begin.column, why));
  }

  /// One text or number, or a list of them, as texts.
  std::vector<std::string> texts(std::string_view key, const toml::node& node) const {
    if (const auto* array = node.as_array()) {
      if (array->empty())
        refuse(node.source(), fmt::format("'{}' is an empty list", key));
      std::vector<std::string> list;
      for (const auto& element : *array)
        list.push_back(text(key, element));
      return list;
    }
    return {text(key, node)};
  }

  std::string text(std::string_view key, const toml::node& node) const {
    if (const auto* string = node.as_string())
      return string->get();
    if (const auto* integer = node.as_integer())
      return std::to_string(integer->get());
    refuse(node.source(),
           fmt::format("'{}' must be a text, a whole number, or a list of these", key));
  }

  bool truth(std::string_view key, const toml::node& node) const {
    if (const auto* boolean = node.as_boolean())
      return boolean->get();
    refuse(node.source(), fmt::format("'{}' must be true or false", key));
  }

  template <typename Number>
  Number number(std::string_view key, const toml::node& node) const {
    const auto* integer = node.as_integer();
    if (!integer || integer->get() < 0 ||
        static_cast<std::uint64_t>(integer->get()) >
            static_cast<std::uint64_t>(std::numeric_limits<Number>::max()))
      refuse(node.source(), fmt::format("'{}' must be a whole number from 0 to {}", key,
                                        std::numeric_limits<Number>::max()));
    return static_cast<Number>(integer->get());
  }

  /// `[[workload]]`: its name and parameters, as the phrase that people type.
  std::string workload(const toml::node& node) const {
    const auto* table = node.as_table();
    if (!table)
      refuse(node.source(), "'workload' must be written as a table: [[workload]]");
    const auto* name = table->get("name");
    if (!name || !name->is_string())
      refuse(node.source(), "this [[workload]] lacks its name = \"...\"");
    std::string phrase = name->as_string()->get();
    for (const auto& [key, value] : *table) {
      if (key == "name")
        continue;
      auto values = texts(key.str(), value);
      for (auto& text : values)
        text = escaped(text);
      phrase += fmt::format(" {}={}", key.str(), fmt::join(values, ","));
    }
    try {
      parse_phrase(phrase); // here, where the place is still known
    } catch (const BadInput& error) {
      refuse(node.source(), error.what());
    }
    return phrase;
  }

private:
  std::string_view name_;
};

/// Reads one key of the plan into `wish`.
void read_key(const Reader& reader, const toml::key& key, const toml::node& node,
              Plan::Wish& wish) {
  if (key == "placement")
    wish.placements = reader.texts(key, node);
  else if (key == "bandwidth")
    wish.bandwidths = reader.texts(key, node);
  else if (key == "counting")
    wish.countings = reader.texts(key, node);
  else if (key == "events")
    wish.passes = reader.texts(key, node);
  else if (key == "repeat")
    wish.repeat = reader.number<int>(key, node);
  else if (key == "warm_up")
    wish.warm_up = reader.number<int>(key, node);
  else if (key == "seed")
    wish.seed = reader.number<std::uint64_t>(key, node);
  else if (key == "deadline_s")
    wish.deadline = std::chrono::seconds(reader.number<int>(key, node));
  else if (key == "label")
    wish.label = reader.text(key, node);
  else if (key == "profile")
    wish.profile = reader.truth(key, node);
  else if (key == "workload" && node.is_array())
    for (const auto& element : *node.as_array())
      wish.workloads.push_back(reader.workload(element));
  else if (key == "workload")
    wish.workloads.push_back(reader.workload(node));
  else
    reader.refuse(
        key.source(),
        fmt::format("a plan has no '{}'; {}", key.str(),
                    nearest_name(key.str(), plan_keys).empty()
                        ? fmt::format("it has: {}", fmt::join(plan_keys, ", "))
                        : fmt::format("did you mean '{}'?", nearest_name(key.str(), plan_keys))));
}

} // namespace

Plan::Wish read_plan_text(std::string_view text, std::string_view name) {
  const Reader reader(name);
  toml::table table;
  try {
    table = toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    reader.refuse(error.source(), error.description());
  }

  Plan::Wish wish;
  for (const auto& [key, node] : table) {
    Plan::Wish alone; // a plan of this key alone tells what is wrong with it while we know where
    if (key == "workload")
      alone.placements = {"all"}; // some of several have no usual placement in common
    else
      alone.workloads = {"empty"};
    read_key(reader, key, node, alone);
    try {
      Plan{alone};
    } catch (const BadInput& error) {
      reader.refuse(node.source(), error.what());
    }
    read_key(reader, key, node, wish);
  }
  return wish;
}

Plan::Wish read_plan_file(const std::filesystem::path& path) {
  return read_plan_text(read_whole(path), path.native());
}

} // namespace schedrig
