// Runs the tests of the back end on the running kernel, as root.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

#include "test/support/as_root.hpp"

int main(int argc, char** argv)
{
    // During the build, CMake starts this program only to list its tests, without root.
    const bool lists = argc > 1 && std::string_view(argv[1]).starts_with("--gtest_list_tests");
    if (!lists)
        dt::test::become_root(argv);
    testing::InitGoogleMock(&argc, argv);
    return RUN_ALL_TESTS();
}
