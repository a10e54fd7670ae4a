#define BOOST_TEST_MODULE profile
#include <boost/test/unit_test.hpp>
