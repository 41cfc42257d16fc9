// perf-PID.map: what just-in-time compilers say of their functions.
#include <gtest/gtest.h>

#include "libdtrace/process/jit_symbols.hpp"

namespace {

using dt::find_jit;
using dt::parse_jit_map;

TEST(JitMap, AddressesInsideAFunctionAreItsOwn)
{
    const auto symbols = parse_jit_map("2000 10 second\n1000 20 first one\n");
    ASSERT_NE(find_jit(symbols, 0x1000), nullptr);
    EXPECT_EQ(find_jit(symbols, 0x101f)->name, "first one");
    EXPECT_EQ(find_jit(symbols, 0x200f)->name, "second");
    for (const uint64_t outside : {0xfffu, 0x1020u, 0x1fffu, 0x2010u})
        EXPECT_EQ(find_jit(symbols, outside), nullptr) << outside;
}

TEST(JitMap, LaterLineAtTheSameAddressCounts)
{
    const auto symbols = parse_jit_map("1000 10 old\n1000 20 new");
    ASSERT_EQ(symbols.size(), 1u);
    EXPECT_EQ(symbols[0].name, "new");
    EXPECT_EQ(symbols[0].size, 0x20u);
}

TEST(JitMap, LinesThatAreNoneAreLeftOut)
{
    EXPECT_TRUE(parse_jit_map("\nno numbers here\n1000\n1000 20\n1000 20 \nzz 20 name\n").empty());
    EXPECT_EQ(parse_jit_map("0x1000 0x20 prefixed\n").size(), 1u);
}

} // namespace
