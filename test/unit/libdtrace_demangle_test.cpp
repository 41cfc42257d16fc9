// Tests demangling. libiberty demangles the names; the tracer only decides which names it passes to libiberty.
#include "libdtrace/elf/demangle.hpp"

#include <gtest/gtest.h>

namespace dt {
namespace {

TEST(Demangler, CPlusPlusNamesAreDemangled)
{
    EXPECT_EQ(demangled("_ZN4shop4Cart3addEi"), "shop::Cart::add(int)");
    EXPECT_EQ(demangled_name("_ZN4shop4Cart3addEi"), "shop::Cart::add");
}

TEST(Demangler, OldAndNewRustNamesAreDemangled)
{
    EXPECT_EQ(demangled("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE"), "core::fmt::Formatter::pad");
    EXPECT_EQ(demangled("_RNvCs1234_7mycrate3foo"), "mycrate::foo");
}

TEST(Demangler, OtherNamesAreNotChanged)
{
    for (const char* name : {"", "main", "_", "_Z", "_RESET", "main.add", "_ZN4shop"})
        EXPECT_EQ(demangled(name), name);
}

} // namespace
} // namespace dt
