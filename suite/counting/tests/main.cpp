#define BOOST_TEST_MODULE counting
#include <boost/test/unit_test.hpp>
