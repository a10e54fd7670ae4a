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
  /// Any text without a NUL: a folder, a command line. May be empty.
  struct Text {
    std::string usual;   ///< as it is meant, not escaped
    std::string allowed; ///< for people: "a folder"
  };

  std::string name;    ///< "loops"
  std::string unit;    ///< "1", "B", "s", "us"; empty for a choice and for a text
  std::string meaning; ///< half a sentence, for people
  std::variant<Count, Choice, Text> kind;

  std::string usual() const;   ///< the value it takes when none is given, in its canonical form
  std::string allowed() const; ///< "1 to 1000000000", "processes, threads" or "a folder"
  /// `text`, which may hold escapes, in its canonical form, which is free of blanks, commas and
  /// quotes. Throws BadInput naming `workload`, the parameter, what stood there and what is
  /// allowed.
  std::string accept(std::string_view text, std::string_view workload) const;
};

/// `text` with each blank, comma, double quote, percent and control character as %XX (two
/// hexadecimal digits): a word that can stand among others, wherever blanks and commas separate.
std::string escaped(std::string_view text);

/// The text that `word` stands for. Throws BadInput for a percent without its two digits and for a
/// NUL.
std::string unescaped(std::string_view word);

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
  std::string text(const std::string& name) const;          ///< of a declared Text, not escaped
  std::string
  text() const; ///< every parameter in the order of declaration: "loops=1000 tasks=threads"

private:
  std::vector<std::string> order_;
  std::map<std::string, std::string> values_;
};

} // namespace schedrig
