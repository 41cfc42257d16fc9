// Tests how -x cgroup finds its control group. Temporary folders replace the folders of cgroup2.
#include "libdtrace/kernel/cgroup_filter.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "test/support/temporary_folder.hpp"

namespace dt {
namespace {

class CgroupFilterPaths : public testing::Test {
protected:
    CgroupFilterPaths()
    {
        std::filesystem::create_directories(mount_.path() + "/user.slice/user-7.slice/shop.service");
    }
    /// Finds the control group that the option value `given` names. Returns its path relative to the mount point.
    std::string place(const std::string& given) const
    {
        return CgroupFilter::find(mount_.path(), given).path.substr(mount_.path().size());
    }

    test::TemporaryFolder mount_;
};

TEST_F(CgroupFilterPaths, APathIsRelativeToTheMountPoint)
{
    EXPECT_EQ(place("user.slice/user-7.slice"), "/user.slice/user-7.slice");
    EXPECT_EQ(place("no/where"), "/no/where");
    EXPECT_EQ(CgroupFilter::find(mount_.path(), "/else/where").path, "/else/where");
}

TEST_F(CgroupFilterPaths, AUnitNameIsSearchedForInAllFolders)
{
    EXPECT_EQ(place("shop.service"), "/user.slice/user-7.slice/shop.service");
    EXPECT_EQ(place("user-7.slice"), "/user.slice/user-7.slice");
}

TEST_F(CgroupFilterPaths, TheFolderOfAServiceMayAppearAfterTheStartOfTheTrace)
{
    const CgroupFilter::GroupPath place = CgroupFilter::find(mount_.path(), "later.service");
    EXPECT_EQ(place.path, mount_.path() + "/system.slice/later.service");
    EXPECT_TRUE(place.may_be_missing);
    EXPECT_FALSE(CgroupFilter::find(mount_.path(), "later").may_be_missing);
}

} // namespace
} // namespace dt
