#include <boost/test/unit_test.hpp>

#include "pinning/bad_input.hpp"
#include "workloads/parameter.hpp"

using namespace schedrig;

namespace {

const std::vector<Parameter> declared{
    {"loops", "1", "how often", Parameter::Count{100, 1, 1000}},
    {"tasks", "", "which kind", Parameter::Choice{{"processes", "threads"}}},
};

const std::vector<Parameter> declared_text{
    {"line", "", "what to do", Parameter::Text{"sleep 1", "a command line"}}};

std::string refusal(const std::string& text) {
  try {
    ParameterValues::parse("load", declared, text);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "";
}

} // namespace

BOOST_AUTO_TEST_SUITE(parameter)

BOOST_AUTO_TEST_CASE(what_is_not_given_takes_its_usual_value) {
  BOOST_TEST(ParameterValues::parse("load", declared, "").text() == "loops=100 tasks=processes");
}

BOOST_AUTO_TEST_CASE(the_text_is_canonical_and_parses_back) {
  const auto values = ParameterValues::parse("load", declared, "tasks=threads  loops=007");
  BOOST_TEST(values.text() == "loops=7 tasks=threads");
  BOOST_TEST(ParameterValues::parse("load", declared, values.text()).text() == values.text());
  BOOST_TEST(values.count("loops") == 7);
  BOOST_TEST(values.choice("tasks") == "threads");
}

BOOST_AUTO_TEST_CASE(a_value_out_of_range_is_refused_with_name_and_range) {
  BOOST_TEST(refusal("loops=0") ==
             "workload load: parameter loops: '0' is out of range; allowed is 1 to 1000");
  BOOST_TEST(refusal("loops=1001") != "");
  BOOST_TEST(refusal("loops=-1") != "");
}

BOOST_AUTO_TEST_CASE(a_number_is_parsed_whole) {
  for (const auto* text :
       {"loops=1x", "loops=", "loops=1e2", "loops=0x10", "loops=+5", "loops=1.5"})
    BOOST_TEST(refusal(text).find("is not a number") != std::string::npos,
               text << ": " << refusal(text));
  BOOST_TEST(refusal("loops=99999999999999999999").find("out of range") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_word_that_is_no_choice_is_refused_with_the_choices) {
  BOOST_TEST(refusal("tasks=fibres") ==
             "workload load: parameter tasks: 'fibres' is not one of: processes, threads");
}

BOOST_AUTO_TEST_CASE(an_unknown_parameter_is_refused_and_the_nearest_offered) {
  BOOST_TEST(refusal("lops=3") == "workload load: there is no parameter 'lops' (did you mean "
                                  "'loops'?); there is: loops, tasks");
}

BOOST_AUTO_TEST_CASE(a_parameter_given_twice_is_refused) {
  BOOST_TEST(refusal("loops=3 loops=4") == "workload load: parameter loops is given twice");
}

BOOST_AUTO_TEST_CASE(a_word_without_equals_is_refused) {
  BOOST_TEST(refusal("loops") == "workload load: 'loops' is not a parameter; write NAME=VALUE");
}

BOOST_AUTO_TEST_CASE(a_text_is_one_word_in_the_canonical_form_and_comes_back_as_it_was) {
  const std::string line = "sh -c \"echo 100%,=\t'\\ü\"";
  const ParameterValues values("load", declared_text, {{"line", escaped(line)}});
  BOOST_TEST(values.text() == "line=sh%20-c%20%22echo%20100%25%2C=%09'\\ü%22");
  BOOST_TEST(values.text("line") == line);
  const auto back = ParameterValues::parse("load", declared_text, values.text());
  BOOST_TEST(back.text() == values.text());
  BOOST_TEST(back.text("line") == line);
}

BOOST_AUTO_TEST_CASE(a_text_written_in_two_ways_has_one_canonical_form) {
  const auto canonical = [](const std::string& word) {
    return ParameterValues::parse("load", declared_text, "line=" + word).text();
  };
  BOOST_TEST(canonical("%6d%61ke%2c") == "line=make%2C");
  BOOST_TEST(canonical("") == "line=");
}

BOOST_AUTO_TEST_CASE(a_usual_text_is_escaped_like_any) {
  const ParameterValues usual("load", declared_text, {});
  BOOST_TEST(usual.text() == "line=sleep%201");
  BOOST_TEST(usual.text("line") == "sleep 1");
}

BOOST_AUTO_TEST_CASE(a_percent_that_is_no_escape_is_refused) {
  for (const auto* word : {"%", "a%", "%2", "%2g", "%-1", "%+1", "%00", "% 1"})
    BOOST_CHECK_EXCEPTION(
        ParameterValues("load", declared_text, {{"line", word}}), BadInput,
        [](const BadInput& error) {
          return std::string_view(error.what()).starts_with("workload load: parameter line: '");
        });
}

BOOST_AUTO_TEST_SUITE_END()
