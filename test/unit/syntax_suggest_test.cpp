// Tests the edit distance of names, and the names that an error message suggests.
#include <gtest/gtest.h>

#include "dcompiler/interface/suggest.hpp"

namespace dt {
namespace {

std::string nearest(std::string_view wanted, std::initializer_list<std::string_view> names)
{
    Nearest nearest(wanted);
    for (const std::string_view name : names)
        nearest.add(name);
    return nearest.question();
}

TEST(EditDistance, CountsInsertionsDeletionsChangesAndSwapsOfLetters)
{
    EXPECT_EQ(edit_distance("read", "read", 3), 0u);
    EXPECT_EQ(edit_distance("raed", "read", 3), 1u); // one typing error: two letters are swapped
    EXPECT_EQ(edit_distance("rea", "read", 3), 1u);
    EXPECT_EQ(edit_distance("reads", "read", 3), 1u);
    EXPECT_EQ(edit_distance("kitten", "sitting", 5), 3u);
    EXPECT_EQ(edit_distance("abcdef", "uvwxyz", 2), 3u); // above the limit of 2, any larger number may be returned
}

TEST(Suggestions, AreAtMostThreeOfTheClosestNames)
{
    EXPECT_EQ(nearest("execnam", {"execname", "exec", "pid"}), "did you mean execname?");
    EXPECT_EQ(nearest("arg", {"arg0", "arg1", "arg2", "arg3"}), "did you mean arg0, arg1 or arg2?");
    EXPECT_EQ(nearest("begin", {"BEGIN", "begun"}), "did you mean BEGIN?");
}

TEST(Suggestions, WithoutACloseNameThereIsNoSuggestion)
{
    EXPECT_EQ(nearest("frobnicate", {"execname", "printf"}), "");
    EXPECT_EQ(nearest("x", {"y", "self"}), "");
    EXPECT_EQ(nearest("abc", {"xyz"}), "");
}

TEST(WordsOfOtherLanguages, AreRecognized)
{
    EXPECT_EQ(foreign_word("comm"), "D calls it execname");
    EXPECT_FALSE(foreign_word("and").empty());
    EXPECT_FALSE(foreign_word("zonename").empty());
    EXPECT_TRUE(foreign_word("execname").empty());
    EXPECT_TRUE(foreign_word("").empty());
}

} // namespace
} // namespace dt
