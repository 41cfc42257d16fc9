// Tests which data of a compiled program remains usable after its syntax trees and types are freed.
#include <gtest/gtest.h>

#include "test/unit/sema_helpers.hpp"

namespace dt::test {
namespace {

TEST(ReleasedTrees, DeclaredVariablesKeepTheirTypesAfterTheTypeTableIsFreed)
{
    Checked checked("struct pair { int left, right; }; struct pair *known; string text; typedef struct pair two;\n"
                    "two whole; int (*call)(struct pair *, ...); uint8_t seen[string];\n"
                    "BEGIN { seen[text] = known->left; @[text, whole.left] = count(); }");
    ASSERT_EQ(checked.tag(), "");
    const auto texts = [&] {
        std::vector<std::string> all;
        for (const Variable& variable : checked.program().variables) {
            all.push_back(variable.name + ": " + to_string(variable.type));
            for (const Type* key : variable.keys)
                all.back() += " by " + to_string(key);
        }
        for (const AggKey& key : checked.program().aggregations.front().keys)
            all.push_back(to_string(key.type));
        return all;
    };
    const std::vector<std::string> before = texts();
    const std::weak_ptr<TypeTable> table = checked.program().types;
    checked.front.release_trees();
    EXPECT_TRUE(table.expired());
    EXPECT_EQ(texts(), before);
    ASSERT_EQ(before.size(), 7u);
    EXPECT_EQ(before[0], "known: struct pair *");
    const auto whole = checked.program().variables[2];
    EXPECT_EQ(whole.type->resolve()->size, 8u);
    EXPECT_TRUE(whole.type->is_record());
    EXPECT_TRUE(whole.type->members().empty());
}

TEST(ReleasedTrees, DefinitionsOfProvidersKeepTheTypeTable)
{
    Checked checked("provider app { probe one(struct pair { int left; } *); }; BEGIN { }");
    checked.front.release_trees();
    ASSERT_FALSE(checked.program().providers.empty());
    EXPECT_NE(checked.program().types, nullptr);
}

} // namespace
} // namespace dt::test
