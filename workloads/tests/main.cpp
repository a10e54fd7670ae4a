#define BOOST_TEST_MODULE workloads
#include <boost/test/unit_test.hpp>
