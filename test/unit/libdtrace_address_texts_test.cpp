// Tests the cache of symbol names for printed addresses: its keys, its memory limit, and the order of eviction.
#include "libdtrace/symbols/symbols.hpp"

#include <gtest/gtest.h>

using namespace dt;

TEST(AddressTexts, TheLeastRecentlyUsedTextIsEvictedFirst)
{
    AddressTexts<std::string> texts(1 << 12);
    texts.add({1, 0, 0}, 1, "often");
    for (uint64_t address = 1; address < 1000; ++address) {
        texts.add({1, address, 0}, 1, "text");
        ASSERT_TRUE(texts.find({1, 0, 0}, 1));
    }
    EXPECT_FALSE(texts.find({1, 1, 0}, 1));
    EXPECT_TRUE(texts.find({1, 999, 0}, 1));
    EXPECT_LT(texts.size(), 40u);
}

TEST(AddressTexts, ATextIsFoundOnlyWithItsVersionKindAndProcess)
{
    AddressTexts<std::string> texts(1 << 12);
    texts.add({1, 5, 0}, 1, "first");
    EXPECT_FALSE(texts.find({1, 5, 0}, 2));
    EXPECT_FALSE(texts.find({1, 5, 1}, 1));
    EXPECT_FALSE(texts.find({2, 5, 0}, 1));
    texts.add({1, 5, 0}, 2, "second");
    EXPECT_EQ(*texts.find({1, 5, 0}, 2), "second");
    EXPECT_EQ(texts.size(), 1u);
}

TEST(AddressTexts, LongTextsTakeMemoryInProportionToTheirLength)
{
    AddressTexts<std::vector<std::string>> texts(1 << 12);
    texts.add({1, 1, 0}, 1, {"short"});
    texts.add({1, 2, 0}, 1, {std::string(4000, 'x')});
    EXPECT_FALSE(texts.find({1, 1, 0}, 1));
    texts.clear();
    EXPECT_EQ(texts.size(), 0u);
}

TEST(AddressTexts, ALowerMemoryLimitAppliesWhenTheNextTextIsAdded)
{
    AddressTexts<std::string> texts(1 << 20);
    for (uint64_t address = 0; address < 1000; ++address)
        texts.add({1, address, 0}, 1, "text");
    EXPECT_EQ(texts.size(), 1000u);
    texts.set_max_bytes(1 << 12);
    texts.add({1, 1000, 0}, 1, "text");
    EXPECT_LT(texts.size(), 40u);
    EXPECT_TRUE(texts.find({1, 1000, 0}, 1));
}
