#include "base/recent_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>

using namespace dt;

TEST(RecentSet, KeepsTheMostRecentEntriesUpToItsLimit)
{
    RecentSet<int> set(100);
    for (int i = 0; i < 1000; ++i) {
        EXPECT_TRUE(set.insert(i));
        EXPECT_FALSE(set.insert(i));
        ASSERT_LE(set.size(), 100u);
        for (int last = std::max(0, i - 49); last <= i; ++last)
            ASSERT_TRUE(set.contains(last)) << i;
    }
    EXPECT_FALSE(set.contains(0));
}

TEST(RecentSet, AnEntryThatIsAddedAgainStaysLonger)
{
    RecentSet<int> set(100);
    for (int i = 1; i < 1000; ++i) {
        set.insert(0);
        set.insert(i);
    }
    EXPECT_FALSE(set.insert(0));
}
