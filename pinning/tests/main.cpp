#define BOOST_TEST_MODULE pinning
#include <boost/test/unit_test.hpp>
