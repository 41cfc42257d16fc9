// Tests which files of a D library directory are read if it has subdirectories named after kernel versions (dtrace(8),
// library).
#include "libdtrace/trace/compilation.hpp"

#include <gtest/gtest.h>

namespace dt {
namespace {

TEST(BestVersion, IsTheNewestVersionThatIsNotNewerThanTheKernel)
{
    const std::vector<std::string> names{"4.1", "5.14", "5.4", "6.1", "5"};
    EXPECT_EQ(best_version(names, "5.14.0-1-amd64"), "5.14");
    EXPECT_EQ(best_version(names, "5.13.19"), "5.4");
    EXPECT_EQ(best_version(names, "6.1"), "6.1");
    EXPECT_EQ(best_version(names, "4.0.9"), std::nullopt);
}

TEST(BestVersion, DirectoriesWithOtherNamesAreNotVersions)
{
    EXPECT_EQ(best_version({"lib", "4.1-old", "x4.1", ".", "5"}, "6.1.0"), std::nullopt);
}

} // namespace
} // namespace dt
