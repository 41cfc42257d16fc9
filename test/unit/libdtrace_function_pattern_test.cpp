// Tests which symbols match a function name that a user copied from a stack trace. c++filt prints the demangled names.
#include "libdtrace/elf/function_pattern.hpp"

#include <gtest/gtest.h>

namespace dt {
namespace {

bool does_match(std::string_view glob, const char* symbol)
{
    return FunctionPattern(glob).matches(symbol);
}

TEST(FunctionPattern, PlainNamesHaveNoTemplateArgumentsTagsOrHashes)
{
    EXPECT_EQ(plain_function_name("std::vector<int, std::allocator<int> >::push_back"), "std::vector::push_back");
    EXPECT_EQ(plain_function_name("shop::name[abi:cxx11]"), "shop::name");
    EXPECT_EQ(plain_function_name("mycrate[0123456789abcdef]::foo::<u32>"), "mycrate::foo");
    EXPECT_EQ(plain_function_name("<alloc::vec::Vec<T> as core::fmt::Debug>::fmt"), "alloc::vec::Vec::fmt");
    EXPECT_EQ(plain_function_name("core::num::<impl core::fmt::Display for u32>::fmt"), "core::num::fmt");
    EXPECT_EQ(plain_function_name("shop::operator<< <int>"), "shop::operator<<");
    EXPECT_EQ(plain_function_name("std::function<auto (int)->long>::call"), "std::function::call");
    EXPECT_EQ(plain_function_name("broken<int::name"), "broken<int::name");
}

TEST(FunctionPattern, ANameMatchesWithOrWithoutTemplateArguments)
{
    // mangled name of int shop::open_box<long>(shop::Box<long> const&)
    const char* const open = "_ZN4shop8open_boxIlEEiRKNS_3BoxIT_EE";
    EXPECT_TRUE(does_match("shop::open_box", open));
    EXPECT_TRUE(does_match("shop::open_box<long>", open));
    EXPECT_TRUE(does_match("int shop::open_box<long>(shop::Box<long> const&)", open));
    EXPECT_TRUE(does_match("(anonymous namespace)::Box::get", "_ZNK12_GLOBAL__N_13BoxIlE3getEv"));
    EXPECT_TRUE(does_match("(anonymous namespace)::Box<long>::get() const", "_ZNK12_GLOBAL__N_13BoxIlE3getEv"));
    EXPECT_FALSE(does_match("shop::open_box<int>", open));
    EXPECT_FALSE(does_match("shop::open", open));
    EXPECT_TRUE(does_match("shop::*", open));
    EXPECT_TRUE(does_match(open, open));
}

TEST(FunctionPattern, ARustNameMatchesWithOrWithoutItsHash)
{
    const char* const pad = "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE";
    EXPECT_TRUE(does_match("core::fmt::Formatter::pad", pad));
    EXPECT_TRUE(does_match("core::fmt::Formatter::pad::h0123456789abcdef", pad));
    EXPECT_TRUE(does_match("core..fmt..Formatter..pad", pad));
    EXPECT_TRUE(does_match("core::*", pad));
    EXPECT_TRUE(does_match("mycrate[0123456789abcdef]::foo", "_RNvCs1234_7mycrate3foo"));
    EXPECT_TRUE(does_match("mycrate::foo", "_RNvCs1234_7mycrate3foo"));
    EXPECT_FALSE(does_match("mycrate::bar", "_RNvCs1234_7mycrate3foo"));
}

TEST(FunctionPattern, NamesOfCAreUnchanged)
{
    EXPECT_TRUE(does_match("main", "main"));
    EXPECT_TRUE(does_match("_IO_*", "_IO_file_open"));
    EXPECT_FALSE(does_match("main", "_main"));
    EXPECT_TRUE(does_match("foo[ab]", "fooa"));
}

} // namespace
} // namespace dt
