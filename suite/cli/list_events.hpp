#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace schedrig {

/// Prints the events that hold `pattern` as a table of `width` columns, by where their names come
/// from. Throws BadInput when there are none.
void list_events(std::string_view pattern, int width);

/// Prints the passes that each of these lists comes to on this machine, counted so on that
/// placement, in `width` columns. Throws as FittedPasses::probe and Machine::place do.
void list_passes(const std::vector<std::string>& lists, const std::string& counting,
                 const std::string& placement, int width);

} // namespace schedrig
