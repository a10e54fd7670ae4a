#include "workloads/controls/whetstone.hpp"

#include <cmath>

#include <fmt/format.h>

#include "workloads/parts/extent.hpp"

namespace schedrig {

namespace {

constexpr double t = 0.499975, t1 = 0.50025, t2 = 2.0;

/// The published weights, ten times: a million Whetstone instructions.
constexpr int array_elements = 120, array_parameters = 140, conditional_jumps = 3450,
              integer_arithmetic = 2100, trigonometry = 320, procedure_calls = 8990,
              array_references = 6160, standard_functions = 930;

using Elements = std::array<double, 4>;

/// `value`, of which the compiler then knows nothing: what starts from it is computed when it runs.
template <typename Value>
Value unknown(Value value) {
  asm volatile("" : "+m"(value));
  return value;
}

/// The same for a value that is to stay in its register.
inline void make_unknown(int& value) {
  asm volatile("" : "+r"(value));
}

Elements unknown_elements() {
  return {unknown(1.0), unknown(-1.0), unknown(-1.0), unknown(-1.0)};
}

/// A called procedure: it stays one, and its caller cannot know what it does to memory.
inline void stay_a_procedure() {
  asm volatile("" ::: "memory");
}

Elements module_2() {
  auto e = unknown_elements();
  for (int i = 0; i < array_elements; ++i) {
    e[0] = (e[0] + e[1] + e[2] - e[3]) * t;
    e[1] = (e[0] + e[1] - e[2] + e[3]) * t;
    e[2] = (e[0] - e[1] + e[2] + e[3]) * t;
    e[3] = (-e[0] + e[1] + e[2] + e[3]) * t;
  }
  return e;
}

[[gnu::noinline]] void turn_six_times(Elements& e) {
  stay_a_procedure();
  for (int turn = 0; turn < 6; ++turn) {
    e[0] = (e[0] + e[1] + e[2] - e[3]) * t;
    e[1] = (e[0] + e[1] - e[2] + e[3]) * t;
    e[2] = (e[0] - e[1] + e[2] + e[3]) * t;
    e[3] = (-e[0] + e[1] + e[2] + e[3]) / t2;
  }
}

Elements module_3(Elements e) {
  for (int i = 0; i < array_parameters; ++i)
    turn_six_times(e);
  return e;
}

int module_4() {
  int j = unknown(1);
  for (int i = 0; i < conditional_jumps; ++i) {
    j = j == 1 ? 2 : 3;
    make_unknown(j); // else the three are one
    j = j > 2 ? 0 : 1;
    make_unknown(j);
    j = j < 1 ? 1 : 0;
    make_unknown(j);
  }
  return j;
}

struct Integers {
  int j, k, l;
  Elements e;
};

Integers module_6(Elements e) {
  int j = unknown(1), k = unknown(2), l = unknown(3);
  for (int i = 0; i < integer_arithmetic; ++i) {
    j = j * (k - j) * (l - k);
    k = l * k - (l - j) * k;
    l = (l - k) * (k + j);
    e[static_cast<std::size_t>(l - 2)] = j + k + l;
    e[static_cast<std::size_t>(k - 2)] = j * k * l;
    asm volatile("" : "+m"(e)); // of the stores, too, not only the last counts
  }
  return {j, k, l, e};
}

struct Pair {
  double x, y;
};

Pair module_7() {
  double x = unknown(0.5), y = unknown(0.5);
  for (int i = 0; i < trigonometry; ++i) {
    x = t * std::atan(t2 * std::sin(x) * std::cos(x) / (std::cos(x + y) + std::cos(x - y) - 1.0));
    y = t * std::atan(t2 * std::sin(y) * std::cos(y) / (std::cos(x + y) + std::cos(x - y) - 1.0));
  }
  return {x, y};
}

[[gnu::noinline]] void combine(double x, double y, double& z) {
  stay_a_procedure();
  const double x1 = t * (x + y);
  const double y1 = t * (x1 + y);
  z = (x1 + y1) / t2;
}

double module_8() {
  const double x = unknown(1.0), y = unknown(1.0);
  double z = 1.0;
  for (int i = 0; i < procedure_calls; ++i)
    combine(x, y, z);
  return z;
}

/// The elements and the indices that module 9's procedure works on without parameters.
struct Common {
  Elements e;
  std::size_t j, k, l;
};

[[gnu::noinline]] void shift(Common& common) {
  stay_a_procedure();
  common.e[common.j] = common.e[common.k];
  common.e[common.k] = common.e[common.l];
  common.e[common.l] = common.e[common.j];
}

Elements module_9() {
  Common common{{1.0, 2.0, 3.0, 0.0}, 0, 1, 2};
  for (int i = 0; i < array_references; ++i)
    shift(common);
  return common.e;
}

double module_11() {
  double x = unknown(0.75);
  for (int i = 0; i < standard_functions; ++i)
    x = std::sqrt(std::exp(std::log(x) / t1));
  return x;
}

[[gnu::noinline]] WhetstoneResults pass() {
  stay_a_procedure();
  const auto two = module_2();
  const auto three = module_3(two);
  const auto four = module_4();
  const auto six = module_6(three);
  const auto seven = module_7();
  const auto eight = module_8();
  const auto nine = module_9();
  const auto eleven = module_11();
  return {{two[0],
           two[1],
           two[2],
           two[3],
           three[0],
           three[1],
           three[2],
           three[3],
           static_cast<double>(four),
           static_cast<double>(six.j),
           static_cast<double>(six.k),
           static_cast<double>(six.l),
           six.e[0],
           six.e[1],
           seven.x,
           seven.y,
           eight,
           nine[0],
           nine[1],
           eleven}};
}

/// Computed independently of this code, in IEEE double precision; the whole numbers are exact.
constexpr std::array<double, WhetstoneResults::count> reference{-0.06834219862995164,
                                                                -0.46263765626356895,
                                                                -0.7297183878436905,
                                                                -1.1239790700461283,
                                                                -0.05533645259179446,
                                                                -0.4474365627547468,
                                                                -0.7109733892851825,
                                                                -1.1030980569256008,
                                                                1,
                                                                1,
                                                                2,
                                                                3,
                                                                6,
                                                                6,
                                                                0.4904073161590454,
                                                                0.49039249795610007,
                                                                0.999937500625,
                                                                3,
                                                                2,
                                                                0.8346655195190518};

class Whetstone final : public Workload {
public:
  explicit Whetstone(const ParameterValues& values) : extent_(values, "passes") {}

  void prepare(const Placement& placement) override {
    placement_ = placement;
    first_ = pass(); // also maps the pages of the mathematical functions
    stretch_.open();
  }

  void run() override {
    stretch_.begin();
    extent_.begin();
    for (; extent_.goes_on(passes_); ++passes_) {
      last_ = pass();
      differing_ += last_ == first_ ? 0 : 1;
    }
    elapsed_ = extent_.elapsed();
    stretch_.end();
  }

  WorkReport finish() override {
    stretch_.close();
    auto report = report_of_one_task(*placement_, static_cast<double>(passes_), elapsed_, stretch_);
    report.figures = {{"mwips", "MWIPS",
                       report.work / std::chrono::duration<double>(elapsed_).count(),
                       WorkFigure::Better::higher}};
    for (auto& sentence : wrong_results(last_))
      report.broken.push_back(std::move(sentence));
    if (differing_ > 0)
      report.broken.push_back(fmt::format("{} of {} passes computed something else than the first",
                                          differing_, passes_));
    return report;
  }

private:
  Extent extent_;
  std::optional<Placement> placement_;
  WhetstoneResults first_, last_;
  std::int64_t passes_ = 0, differing_ = 0;
  Stretch stretch_;
  std::chrono::nanoseconds elapsed_{0};
};

} // namespace

const std::array<std::string_view, WhetstoneResults::count> WhetstoneResults::names{
    "module 2, element 1", "module 2, element 2", "module 2, element 3", "module 2, element 4",
    "module 3, element 1", "module 3, element 2", "module 3, element 3", "module 3, element 4",
    "module 4, j",         "module 6, j",         "module 6, k",         "module 6, l",
    "module 6, element 1", "module 6, element 2", "module 7, x",         "module 7, y",
    "module 8, z",         "module 9, element 1", "module 9, element 2", "module 11, x"};

std::vector<std::string> wrong_results(const WhetstoneResults& found) {
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < WhetstoneResults::count; ++i)
    if (!(std::abs(found.values[i] - reference[i]) <= 1e-9 * std::abs(reference[i])))
      sentences.push_back(fmt::format("{} is {:.17g}; it must be {:.17g}",
                                      WhetstoneResults::names[i], found.values[i], reference[i]));
  return sentences;
}

WorkloadEntry whetstone() {
  return {
      .name = "whetstone",
      .summary = "the floating-point control load: user mode only, one task",
      .work_unit = "pass",
      .parameters = {Extent::seconds(10, "passes"), Extent::units("passes")},
      .positional = {"seconds"},
      .aliases = {},
      .make = [](const ParameterValues& values) { return std::make_unique<Whetstone>(values); },
      .needs =
          [](const ParameterValues& values) {
            return Needs{.time = Extent::time_of(values, "passes")};
          },
  };
}

} // namespace schedrig
