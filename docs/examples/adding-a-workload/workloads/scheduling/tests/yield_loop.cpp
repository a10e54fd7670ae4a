#include <boost/test/unit_test.hpp>

#include "pinning/bad_input.hpp"
#include "workloads/scheduling/yield_loop.hpp"

using namespace schedrig;

namespace {

WorkReport report_of(const std::map<std::string, std::string>& given) {
  const auto entry = yield_loop();
  const auto load = entry.make(ParameterValues(entry.name, entry.parameters, given));
  load->prepare({"all", own_affinity().cpus(), Placement::Tasks::free_within});
  load->run();
  return load->finish();
}

} // namespace

BOOST_AUTO_TEST_SUITE(yield_loop_workload)

BOOST_AUTO_TEST_CASE(yields_as_often_as_it_was_asked_to) {
  const auto report = report_of({{"loops", "1000"}});
  BOOST_TEST(report.work == 1000);
  BOOST_TEST((report.elapsed.count() > 0));
  BOOST_TEST((report.usage.cpu_time.count() > 0));
  BOOST_TEST(report.broken.empty());
}

BOOST_AUTO_TEST_CASE(refuses_to_yield_less_than_once) {
  BOOST_CHECK_THROW(report_of({{"loops", "0"}}), BadInput);
}

BOOST_AUTO_TEST_SUITE_END()
