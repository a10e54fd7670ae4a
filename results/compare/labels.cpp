#include "results/compare/labels.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

namespace schedrig {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

/// The parameters, as "loops=1000", that all of `cells` have alike.
std::vector<std::string> shared_parameters(std::span<const Cell> cells) {
  std::vector<std::string> shared = words_of(cells.front().parameters);
  for (const Cell& cell : cells) {
    const auto words = words_of(cell.parameters);
    std::erase_if(shared, [&words](const std::string& word) {
      return std::find(words.begin(), words.end(), word) == words.end();
    });
  }
  return shared;
}

std::string shared_text(std::span<const Cell> cells, std::string Cell::*part) {
  const std::string& first = cells.front().*part;
  const bool alike = std::all_of(cells.begin(), cells.end(),
                                 [&](const Cell& cell) { return cell.*part == first; });
  return alike ? first : "";
}

} // namespace

Cell shared_by(std::span<const Cell> cells) {
  if (cells.empty())
    return {};
  Cell shared;
  for (const auto part :
       {&Cell::workload, &Cell::placement, &Cell::bandwidth, &Cell::counting, &Cell::pass})
    shared.*part = shared_text(cells, part);
  shared.parameters = fmt::format("{}", fmt::join(shared_parameters(cells), " "));
  return shared;
}

std::vector<std::string> labels_of(std::span<const Cell> cells) {
  const Cell shared = shared_by(cells);
  const auto shared_words = words_of(shared.parameters);
  std::vector<std::string> labels;
  for (const Cell& cell : cells) {
    std::vector<std::string> parts;
    if (cell.placement != shared.placement)
      parts.push_back(cell.placement);
    if (cell.bandwidth != shared.bandwidth)
      parts.push_back(bandwidth_label(cell.bandwidth));
    for (const std::string& word : words_of(cell.parameters))
      if (std::find(shared_words.begin(), shared_words.end(), word) == shared_words.end())
        parts.push_back(word);
    labels.push_back(parts.empty() ? bandwidth_label(cell.bandwidth)
                                   : fmt::format("{}", fmt::join(parts, ", ")));
  }
  return labels;
}

std::string bandwidth_label(const std::string& bandwidth) {
  if (bandwidth == "none")
    return "no group";
  if (bandwidth == "group")
    return "group without limit";
  return bandwidth;
}

} // namespace schedrig
