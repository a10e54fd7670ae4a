#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace schedrig {

/// A file of a source tree.
struct SourceFile {
  std::filesystem::path name; ///< below the tree's folder: "part_03/unit_7.c"
  std::string text;
};

/// A C program of `units` translation units (1 to 10,000) with the headers that they share and a
/// Makefile that compiles each to an object and links them to `program`.
///
/// Ten units a part; a part has a header with records, inline functions and declarations, and its
/// units include those of four parts. A unit is some 300 lines: walks over lists, state machines,
/// nested loops, sorting, bit mixing, calls to functions elsewhere. It includes nothing of the
/// system's, so that it is the same work on every machine that has the same compiler. The same
/// number of units gives the same text, always: a test holds its digest.
std::vector<SourceFile> source_tree(int units);

} // namespace schedrig
