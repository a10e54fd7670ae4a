#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "results/record/run.hpp"
#include "results/record/trial.hpp"

namespace schedrig {

/// The store's words for an enumeration, in the order of its values. The schema checks the same
/// words.
template <typename Enum>
struct StoredWords;

template <>
struct StoredWords<RunRecord::Ending> {
  static constexpr std::array<std::string_view, 4> words{"unfinished", "finished", "interrupted",
                                                         "failed"};
};
template <>
struct StoredWords<Metric::Better> {
  static constexpr std::array<std::string_view, 3> words{"lower", "higher", "neither"};
};
template <>
struct StoredWords<Metric::Scale> {
  static constexpr std::array<std::string_view, 2> words{"ratio", "difference"};
};
template <>
struct StoredWords<Metric::Extent> {
  static constexpr std::array<std::string_view, 2> words{"per_work", "whole"};
};
template <>
struct StoredWords<TrialRecord::Purpose> {
  static constexpr std::array<std::string_view, 2> words{"measured", "warm_up"};
};
template <>
struct StoredWords<TrialRecord::Validity> {
  static constexpr std::array<std::string_view, 3> words{"valid", "invalid", "failed"};
};

template <>
struct StoredWords<SampledFunction::Mode> {
  static constexpr std::array<std::string_view, 2> words{"kernel", "user"};
};

template <typename Enum>
constexpr std::string_view stored_word(Enum value) {
  return StoredWords<Enum>::words[static_cast<std::size_t>(value)];
}

/// The value that `word` stands for; the schema lets no other word in.
template <typename Enum>
constexpr Enum from_stored_word(std::string_view word) {
  std::size_t value = 0;
  while (value + 1 < StoredWords<Enum>::words.size() && StoredWords<Enum>::words[value] != word)
    ++value;
  return static_cast<Enum>(value);
}

} // namespace schedrig
