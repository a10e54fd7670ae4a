#include <set>

#include <boost/test/unit_test.hpp>

#include "pinning/bad_input.hpp"
#include "workloads/catalogue.hpp"

using namespace schedrig;

namespace {

std::string refusal(const std::string& phrase) {
  try {
    parse_phrase(phrase);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "";
}

using Texts = std::vector<std::string>;

} // namespace

BOOST_AUTO_TEST_SUITE(catalogue_of_workloads)

BOOST_AUTO_TEST_CASE(every_entry_is_whole) {
  std::set<std::string> names;
  for (const auto& entry : catalogue()) {
    BOOST_TEST_CONTEXT(entry.name) {
      BOOST_TEST(names.insert(entry.name).second);
      for (const auto& [alias, parameters] : entry.aliases)
        BOOST_TEST(names.insert(alias).second);
      BOOST_TEST(entry.summary != "");
      BOOST_TEST(entry.work_unit != "");
      std::set<std::string> parameters;
      for (const auto& parameter : entry.parameters) {
        BOOST_TEST(parameters.insert(parameter.name).second, parameter.name);
        BOOST_TEST(parameter.meaning != "");
        BOOST_TEST(parameter.accept(parameter.usual(), entry.name) == parameter.usual());
      }
      const ParameterValues usual(entry.name, entry.parameters, {});
      if (entry.experiment)
        BOOST_CHECK_THROW(entry.make(usual), BadInput);
      else
        BOOST_TEST(entry.make(usual) != nullptr);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_workload_is_found_by_its_name_its_alias_and_with_underscores) {
  BOOST_TEST(find_workload("pipe-ping-pong").name == "pipe-ping-pong");
  BOOST_TEST(find_workload("pipe-test-100k").name == "pipe-ping-pong");
  BOOST_TEST(find_workload("pipe_ping_pong").name == "pipe-ping-pong");
}

BOOST_AUTO_TEST_CASE(an_unknown_workload_is_refused_and_the_nearest_offered) {
  BOOST_TEST(refusal("pipe-pingpong") ==
             "there is no workload 'pipe-pingpong'; did you mean 'pipe-ping-pong'?");
  BOOST_TEST(
      refusal("xyzzy").starts_with("there is no workload 'xyzzy'; there is: pipe-ping-pong, "));
}

BOOST_AUTO_TEST_CASE(a_phrase_names_values_by_commas) {
  const auto phrase = parse_phrase("pipe-ping-pong loops=10,20 tasks=threads");
  BOOST_TEST(phrase.workload == "pipe-ping-pong");
  BOOST_TEST(phrase.values.at("loops") == (Texts{"10", "20"}), boost::test_tools::per_element());
  BOOST_TEST(phrase.values.at("tasks") == Texts{"threads"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_bare_number_is_the_parameter_that_people_give_so) {
  BOOST_TEST(parse_phrase("pipe-test 500").values.at("loops") == Texts{"500"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_alias_implies_parameters_that_may_be_given_anew) {
  BOOST_TEST(parse_phrase("pipe-test-100k").values.at("loops") == Texts{"100000"},
             boost::test_tools::per_element());
  BOOST_TEST(parse_phrase("pipe-test-100k loops=7").values.at("loops") == Texts{"7"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_phrase_with_something_wrong_is_refused_with_the_word) {
  BOOST_TEST(refusal("") != "");
  BOOST_TEST(refusal("pipe-ping-pong 1 2") ==
             "workload pipe-ping-pong: '2' is not a parameter; write NAME=VALUE");
  BOOST_TEST(
      refusal("pipe-ping-pong loops=1,,2") ==
      "workload pipe-ping-pong: parameter loops: '' is not a number; allowed is 1 to 1000000000");
  BOOST_TEST(refusal("pipe-ping-pong size=2").find("there is no parameter 'size'") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_stands_between_quotes_is_part_of_a_value) {
  const auto phrase = parse_phrase("pipe-ping-pong \"loops=1\",\"2\" tasks=\"threads\"");
  BOOST_TEST(phrase.values.at("loops") == (Texts{"1", "2"}), boost::test_tools::per_element());
  BOOST_TEST(phrase.values.at("tasks") == Texts{"threads"}, boost::test_tools::per_element());
  BOOST_TEST(refusal("pipe-ping-pong loops=\"1,2\"") ==
             "workload pipe-ping-pong: parameter loops: '1,2' is not a number; allowed is 1 to "
             "1000000000");
  BOOST_TEST(refusal("pipe-ping-pong tasks=\"threads") ==
             "workload pipe-ping-pong tasks=\"threads: a '\"' without its second one");
}

BOOST_AUTO_TEST_CASE(words_from_a_shell_keep_their_blanks) {
  BOOST_TEST(phrase_of({}) == "");
  BOOST_TEST(phrase_of({"pipe-ping-pong", "loops=1,2", "tasks=threads"}) ==
             "pipe-ping-pong loops=1,2 tasks=threads");
  BOOST_TEST(phrase_of({"command", "line=sh -c \"a, b\""}) ==
             "command line=sh%20-c%20%22a%2C%20b%22");
  BOOST_TEST(phrase_of({"command", "line= true"}) == "command line=%20true");
  BOOST_TEST(phrase_of({"pipe-ping-pong loops=7"}) == "pipe-ping-pong loops=7"); // one phrase
}

BOOST_AUTO_TEST_CASE(the_build_of_the_workloads_is_told) {
  BOOST_TEST(workload_build().find("-O2") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
