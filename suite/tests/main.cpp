#define BOOST_TEST_MODULE suite
#include <boost/test/unit_test.hpp>
