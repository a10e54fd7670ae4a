#include "workloads/controls/dhrystone.hpp"

#include <cstring>

#include <fmt/format.h>

#include "workloads/parts/extent.hpp"

namespace schedrig {

namespace {

/// Keeps the compiler from knowing what memory holds here, and a function that has it from being
/// left out because of what it knows of its callers.
inline void forget_memory() {
  asm volatile("" ::: "memory");
}

enum class Ident { first, second, third, fourth, fifth };

constexpr std::size_t text_size = 31; ///< 30 characters and the NUL
using Text = char[text_size];

constexpr Text first_text = "DHRYSTONE PROGRAM, 1'ST STRING";
constexpr Text second_text = "DHRYSTONE PROGRAM, 2'ND STRING";
constexpr Text third_text = "DHRYSTONE PROGRAM, 3'RD STRING";
constexpr Text record_text = "DHRYSTONE PROGRAM, SOME STRING";

std::string number_of(Ident ident) {
  return std::to_string(static_cast<int>(ident));
}

struct Record {
  Record* next = nullptr;
  Ident variant = Ident::first;
  Ident ident = Ident::first;
  int number = 0;
  Text text = "";
};

/// The mix: its members are what the published description calls global, and `run` holds what it
/// calls local to the main program.
class Mix {
public:
  Mix() {
    head_.next = &second_;
    head_.ident = Ident::third;
    head_.number = 40;
    std::memcpy(head_.text, record_text, text_size);
    second_.next = &second_;
    matrix_[8][7] = 10;
  }
  Mix(const Mix&) = delete;

  std::int64_t run(const Extent& extent) {
    Text text_1, text_2 = "";
    std::strcpy(text_1, first_text);
    int a = 0, b = 0, c = 0;
    Ident ident = Ident::first;
    std::int64_t loops = 0;
    for (; extent.goes_on(loops); ++loops) {
      reset_letter();
      combine_flag();
      a = 2;
      b = 3;
      std::strcpy(text_2, second_text);
      ident = Ident::second;
      flag_ = !is_later(text_1, text_2);
      while (a < b) {
        c = 5 * a - b;
        add_with_two(a, b, c);
        a += 1;
      }
      fill_arrays(row_, matrix_, a, c);
      copy_to_next(*first_);
      for (char letter = 'A'; letter <= letter_2_; ++letter)
        if (ident == compare_letters(letter, 'C')) { // never so, which no compiler may know
          map_ident(Ident::first, ident);
          std::strcpy(text_2, third_text);
          b = static_cast<int>(loops);
          number_ = b;
        }
      b = b * a;
      a = b / c;
      b = 7 * (b - c) - a;
      lower(a);
    }
    last_ = {a, b, c, ident, {}, {}};
    std::memcpy(last_.text_1, text_1, text_size);
    std::memcpy(last_.text_2, text_2, text_size);
    return loops;
  }

  DhrystoneValues values() const {
    return {{"the global number", fmt::to_string(number_)},
            {"the global flag", fmt::to_string(flag_)},
            {"the first letter", std::string(1, letter_1_)},
            {"the second letter", std::string(1, letter_2_)},
            {"element 8 of the row", fmt::to_string(row_[8])},
            {"element 8, 7 of the matrix", fmt::to_string(matrix_[8][7])},
            {"the first record's ident", number_of(head_.ident)},
            {"the first record's number", fmt::to_string(head_.number)},
            {"the first record's text", head_.text},
            {"the second record's ident", number_of(second_.ident)},
            {"the second record's number", fmt::to_string(second_.number)},
            {"the second record's text", second_.text},
            {"the first local number", fmt::to_string(last_.a)},
            {"the second local number", fmt::to_string(last_.b)},
            {"the third local number", fmt::to_string(last_.c)},
            {"the local ident", number_of(last_.ident)},
            {"the first local text", last_.text_1},
            {"the second local text", last_.text_2}};
  }

private:
  using Row = int[50];
  using Matrix = std::uint32_t[50][50];

  /// What the main program's locals were at the end.
  struct Locals {
    int a, b, c;
    Ident ident;
    Text text_1, text_2;
  };

  [[gnu::noinline]] void copy_to_next(Record& record) {
    forget_memory();
    Record& next = *record.next;
    next = *first_;
    record.number = 5;
    next.number = record.number;
    next.next = record.next;
    follow_first(next.next);
    if (next.variant == Ident::first) {
      next.number = 6;
      map_ident(record.ident, next.ident);
      next.next = first_->next;
      add_with_two(next.number, 10, next.number);
    } else {
      record = *record.next;
    }
  }

  [[gnu::noinline]] void lower(int& number) {
    forget_memory();
    int high = number + 10;
    Ident ident = Ident::second;
    do
      if (letter_1_ == 'A') {
        high -= 1;
        number = high - number_;
        ident = Ident::first;
      }
    while (ident != Ident::first);
  }

  [[gnu::noinline]] void follow_first(Record*& record) {
    forget_memory();
    if (first_ != nullptr)
      record = first_->next;
    add_with_two(10, number_, first_->number);
  }

  [[gnu::noinline]] void combine_flag() {
    forget_memory();
    const bool is_a = letter_1_ == 'A';
    flag_ = is_a | flag_;
    letter_2_ = 'B';
  }

  [[gnu::noinline]] void reset_letter() {
    forget_memory();
    letter_1_ = 'A';
    flag_ = false;
  }

  [[gnu::noinline]] void map_ident(Ident given, Ident& mapped) const {
    forget_memory();
    mapped = given;
    if (!is_third(given))
      mapped = Ident::fourth;
    switch (given) {
    case Ident::first:
      mapped = Ident::first;
      break;
    case Ident::second:
      mapped = number_ > 100 ? Ident::first : Ident::fourth;
      break;
    case Ident::third:
      mapped = Ident::second;
      break;
    case Ident::fourth:
      break;
    case Ident::fifth:
      mapped = Ident::third;
      break;
    }
  }

  [[gnu::noinline]] static void add_with_two(int a, int b, int& sum) {
    forget_memory();
    const int more = a + 2;
    sum = b + more;
  }

  [[gnu::noinline]] void fill_arrays(Row& row, Matrix& matrix, int a, int b) {
    forget_memory();
    const int at = a + 5;
    row[at] = b;
    row[at + 1] = row[at];
    row[at + 30] = at;
    for (int column = at; column <= at + 1; ++column)
      matrix[at][column] = static_cast<std::uint32_t>(at);
    matrix[at][at - 1] += 1;
    matrix[at + 20][at] = static_cast<std::uint32_t>(row[at]);
    number_ = 5;
  }

  [[gnu::noinline]] Ident compare_letters(char a, char b) {
    forget_memory();
    const char copy = a;
    const char copy_of_copy = copy;
    if (copy_of_copy != b)
      return Ident::first;
    letter_1_ = copy;
    return Ident::second;
  }

  [[gnu::noinline]] bool is_later(const Text& a, const Text& b) {
    forget_memory();
    int at = 2;
    char letter = 0;
    while (at <= 2)
      if (compare_letters(a[at], b[at + 1]) == Ident::first) {
        letter = 'A';
        at += 1;
      }
    if (letter >= 'W' && letter < 'Z')
      at = 7;
    if (letter == 'R')
      return true;
    if (std::strcmp(a, b) > 0) {
      at += 7;
      number_ = at;
      return true;
    }
    return false;
  }

  [[gnu::noinline]] static bool is_third(Ident ident) {
    forget_memory();
    const Ident copy = ident;
    return copy == Ident::third;
  }

  Record head_, second_;
  Record* first_ = &head_;
  int number_ = 0;
  bool flag_ = false;
  char letter_1_ = 0, letter_2_ = 0;
  Row row_{};
  Matrix matrix_{};
  Locals last_{};
};

class Dhrystone final : public Workload {
public:
  explicit Dhrystone(const ParameterValues& values) : extent_(values, "loops", 1024) {}

  void prepare(const Placement& placement) override {
    placement_ = placement;
    stretch_.open();
  }

  void run() override {
    stretch_.begin();
    extent_.begin();
    loops_ = mix_.run(extent_);
    elapsed_ = extent_.elapsed();
    stretch_.end();
  }

  WorkReport finish() override {
    stretch_.close();
    auto report = report_of_one_task(*placement_, static_cast<double>(loops_), elapsed_, stretch_);
    report.figures = {{"loops_per_second", "1/s",
                       report.work / std::chrono::duration<double>(elapsed_).count(),
                       WorkFigure::Better::higher}};
    for (auto& sentence : wrong_values(mix_.values(), loops_))
      report.broken.push_back(std::move(sentence));
    return report;
  }

private:
  Extent extent_;
  std::optional<Placement> placement_;
  Mix mix_;
  Stretch stretch_;
  std::int64_t loops_ = 0;
  std::chrono::nanoseconds elapsed_{0};
};

DhrystoneValues published_values(std::int64_t loops) {
  // The element counts the loops, from 10, in 32 bits.
  const auto count = static_cast<std::uint32_t>(static_cast<std::uint64_t>(loops) + 10);
  return {{"the global number", "5"},
          {"the global flag", "true"},
          {"the first letter", "A"},
          {"the second letter", "B"},
          {"element 8 of the row", "7"},
          {"element 8, 7 of the matrix", fmt::to_string(count)},
          {"the first record's ident", "2"},
          {"the first record's number", "17"},
          {"the first record's text", record_text},
          {"the second record's ident", "1"},
          {"the second record's number", "18"},
          {"the second record's text", record_text},
          {"the first local number", "5"},
          {"the second local number", "13"},
          {"the third local number", "7"},
          {"the local ident", "1"},
          {"the first local text", first_text},
          {"the second local text", second_text}};
}

} // namespace

std::vector<std::string> wrong_values(const DhrystoneValues& found, std::int64_t loops) {
  std::vector<std::string> sentences;
  for (const auto& [what, value] : published_values(loops))
    if (const auto& is = found.at(what); is != value)
      sentences.push_back(
          fmt::format("after {} loops {} is '{}'; it must be '{}'", loops, what, is, value));
  return sentences;
}

WorkloadEntry dhrystone() {
  return {
      .name = "dhrystone",
      .summary = "the integer control load: user mode only, one task",
      .work_unit = "loop",
      .parameters = {Extent::seconds(10, "loops"), Extent::units("loops")},
      .positional = {"seconds"},
      .aliases = {},
      .make = [](const ParameterValues& values) { return std::make_unique<Dhrystone>(values); },
      .needs =
          [](const ParameterValues& values) {
            return Needs{.time = Extent::time_of(values, "loops")};
          },
  };
}

} // namespace schedrig
