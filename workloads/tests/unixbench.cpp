#include "workloads/unixbench.hpp"

#include <set>

#include <boost/test/unit_test.hpp>

#include "pinning/bad_input.hpp"

using namespace schedrig;
using namespace std::chrono_literals;

namespace {

std::string parameters_of(const WorkloadPhrase& phrase) {
  std::map<std::string, std::string> given;
  for (const auto& [name, values] : phrase.values)
    given[name] = values.front();
  const auto& entry = find_workload(phrase.workload);
  return ParameterValues(entry.name, entry.parameters, given).text();
}

std::vector<ExperimentPart> parts(const std::string& phrase) {
  return unixbench().experiment->parts(parse_phrase(phrase));
}

std::vector<std::string> copies_spelled_out(const std::string& phrase, std::size_t cpus) {
  auto asked = parse_phrase(phrase);
  unixbench().experiment->spell_out(asked, cpus);
  return asked.values.at("copies");
}

using Texts = std::vector<std::string>;

} // namespace

BOOST_AUTO_TEST_SUITE(unixbench_set)

BOOST_AUTO_TEST_CASE(every_test_is_a_phrase_that_the_catalogue_knows) {
  BOOST_TEST(unixbench_tests().size() == 12u);
  for (const auto& test : unixbench_tests()) {
    BOOST_TEST(!parse_phrase(test.phrase(2s, 1)).workload.empty(), test.name);
    BOOST_TEST(test.passes == (test.time > 10s ? 3 : 10), test.name);
    BOOST_TEST(test.phrase(1h, 4).ends_with(std::to_string(test.time.count()) + " copies=4"));
    BOOST_TEST(test.phrase(2s, 1).ends_with(" seconds=2 copies=1"));
  }
}

BOOST_AUTO_TEST_CASE(the_usual_copies_are_one_and_one_a_cpu) {
  const auto per_element = boost::test_tools::per_element();
  BOOST_TEST(copies_spelled_out("unixbench", 8) == (Texts{"1", "8"}), per_element);
  BOOST_TEST(copies_spelled_out("unixbench", 1) == Texts{"1"}, per_element);
  BOOST_TEST(copies_spelled_out("unixbench copies=2,0", 2) == (Texts{"2", "1"}), per_element);
  BOOST_TEST(copies_spelled_out("unixbench copies=3", 8) == Texts{"3"}, per_element);
}

BOOST_AUTO_TEST_CASE(its_parts_are_the_tests_with_each_number_of_copies) {
  const auto whole = parts("unixbench copies=1,4");
  BOOST_TEST_REQUIRE(whole.size() == 24u);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const auto& test = unixbench_tests()[i % 12];
    BOOST_TEST(whole[i].trials == test.passes);
    BOOST_TEST(whole[i].phrase.values.at("copies").front() == (i < 12 ? "1" : "4"));
    BOOST_TEST(whole[i].phrase.values.at("seconds").front() == std::to_string(test.time.count()));
  }
  for (const auto& part : parts("unixbench copies=1 seconds=2 passes=5")) {
    BOOST_TEST(part.trials == 5);
    BOOST_TEST(part.phrase.values.at("seconds").front() == "2");
  }
}

BOOST_AUTO_TEST_CASE(one_value_is_taken_of_what_holds_for_the_whole_set) {
  BOOST_CHECK_EXCEPTION(parts("unixbench copies=1 seconds=1,2"), BadInput, [](const auto& error) {
    return std::string(error.what())
        .starts_with("workload unixbench: parameter seconds: one value");
  });
  BOOST_CHECK_THROW(parts("unixbench copies=1 passes=1,2"), BadInput);
  BOOST_CHECK_THROW(parse_phrase("unixbench seconds=61"), BadInput);
  BOOST_CHECK_THROW(parse_phrase("unixbench copies=1001"), BadInput);
}

BOOST_AUTO_TEST_CASE(a_cell_is_known_as_the_test_that_it_is) {
  std::set<std::size_t> known;
  for (const auto& part : parts("unixbench copies=3 seconds=20")) {
    const auto cell = unixbench_cell(part.phrase.workload, parameters_of(part.phrase));
    BOOST_TEST_REQUIRE(cell.has_value());
    known.insert(cell->test);
    BOOST_TEST(cell->copies == 3);
    BOOST_TEST(cell->time == std::min(unixbench_tests()[cell->test].time, 20s));
  }
  BOOST_TEST(known.size() == 12u);
  BOOST_TEST(!unixbench_cell("pipe-throughput", "loops=5"));
  BOOST_TEST(!unixbench_cell("shell-scripts", "scripts=2"));
  BOOST_TEST(!unixbench_cell("pipe-ping-pong", ""));
}

BOOST_AUTO_TEST_SUITE_END()
