#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace schedrig {

/// One declared parameter of a workload. The command line, plan files, `list` and `--help` are all
/// made from this.
struct Parameter {
  /// A whole number.
  struct Count {
    std::int64_t usual, least, most;
  };
  /// One of a few words; the first is the usual one.
  struct Choice {
    std::vector<std::string> words;
  };

  std::string name;    ///< "loops"
  std::string unit;    ///< "1", "B", "s", "us"; empty for a choice
  std::string meaning; ///< half a sentence, for people
  std::variant<Count, Choice> kind;

  std::string usual() const;   ///< the value it takes when none is given
  std::string allowed() const; ///< "1 to 1000000000" or "processes, threads"
  /// `text` in its canonical form. Throws BadInput naming `workload`, the parameter, what stood
  /// there and what is allowed.
  std::string accept(std::string_view text, std::string_view workload) const;
};

/// A value for every declared parameter of a workload.
class ParameterValues {
public:
  /// Takes what is `given` and the usual value for the rest. Throws BadInput for a name that is not
  /// declared (offering the nearest) and for a value that is not allowed.
  ParameterValues(std::string_view workload, const std::vector<Parameter>& declared,
                  const std::map<std::string, std::string>& given);
  /// The same from "loops=1000 tasks=threads". Throws BadInput also for a word without '=' and for
  /// a name given twice.
  static ParameterValues parse(std::string_view workload, const std::vector<Parameter>& declared,
                               std::string_view text);

  std::int64_t count(const std::string& name) const;        ///< of a declared Count
  const std::string& choice(const std::string& name) const; ///< of a declared Choice
  std::string
  text() const; ///< every parameter in the order of declaration: "loops=1000 tasks=threads"

private:
  std::vector<std::string> order_;
  std::map<std::string, std::string> values_;
};

} // namespace schedrig
