// Tests the names of attributes in the message that a process publishes about itself (OTEP 4719).
#include "libdtrace/process/thread_contexts.hpp"

#include <gtest/gtest.h>

#include <string>

namespace dt {
namespace {

std::string field(int number, const std::string& bytes)
{
    return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(bytes.size())} + bytes;
}

std::string attribute(const std::string& key)
{
    const std::string list = field(5, field(1, field(1, "route")) + field(1, field(1, "user")));
    return field(1, key) + field(2, list);
}

TEST(ProcessContextTests, NamesAreFoundInEitherFieldOfTheMessage)
{
    const std::vector<std::string> names{"route", "user"};
    const std::string wanted = attribute("threadlocal.attribute_key_map"), other = attribute("service.name");
    EXPECT_EQ(context_names_in(field(2, other) + field(2, wanted)), names);
    EXPECT_EQ(context_names_in(field(1, field(1, other) + field(1, wanted))), names);
    EXPECT_TRUE(context_names_in(field(1, field(1, other)) + field(2, other)).empty());
}

TEST(ProcessContextTests, AnInvalidMessageGivesNoNames)
{
    const std::string whole = field(2, attribute("threadlocal.attribute_key_map"));
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_TRUE(context_names_in(whole.substr(0, size)).empty());
    EXPECT_TRUE(context_names_in(std::string(64, '\xff')).empty());
}

} // namespace
} // namespace dt
