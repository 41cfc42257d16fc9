#include "base/name_numbers.hpp"

#include <gtest/gtest.h>

#include <string>

using namespace dt;

TEST(NameNumbers, NumbersAreAssignedInTheOrderOfNewNames)
{
    NameNumbers numbers;
    std::vector<std::string> names;
    for (int round = 0; round < 2; ++round)
        for (uint32_t i = 0; i < 10000; ++i) {
            const std::string name = "name" + std::to_string(i);
            const auto [number, is_new] = numbers.add(name, names);
            ASSERT_EQ(number, i);
            ASSERT_EQ(is_new, round == 0);
            if (is_new)
                names.push_back(name);
        }
    EXPECT_EQ(numbers.find("name77", names), 77u);
    EXPECT_EQ(numbers.find("name", names), std::nullopt);
    EXPECT_EQ(numbers.find("", names), std::nullopt);
}
