#define BOOST_TEST_MODULE results
#include <boost/test/unit_test.hpp>
