// Tests --trace-errno: its conditions and the D program that it generates.
#include <gtest/gtest.h>

#include "cmd/modes/trace_errno.hpp"

namespace dt::cmd {
namespace {

TEST(TraceErrno, AcceptsAnErrorByNameOrNumber)
{
    const auto by_name = read_failed_call("syscall::openat:return /errno == EACCES/");
    const auto by_number = read_failed_call(" syscall::openat:return/ pid == 7 && errno==13 /");
    ASSERT_TRUE(by_name && by_number);
    EXPECT_EQ(by_name.value().error, 13);
    EXPECT_EQ(by_number.value().error, 13);
    EXPECT_EQ(by_number.value().probe, "syscall::openat");
    EXPECT_EQ(by_number.value().predicate, "pid == 7 && errno==13");
}

TEST(TraceErrno, RefusesConditionsWithoutAnError)
{
    for (const char* text :
         {"", "syscall::openat:return", "syscall::openat:entry /errno == 13/", "openat /errno == 13/",
          "syscall::openat:return /errno != 0/", "syscall::openat:return /errno == ENOSUCH/",
          "syscall::openat:return /errno == 0/", "syscall::openat:return /errno == 4096/",
          "syscall::openat:return /errno == 13/ { trace(1); }"})
        EXPECT_FALSE(read_failed_call(text)) << text;
}

TEST(TraceErrno, TheProgramRecordsFunctionsOnlyDuringTheSystemCall)
{
    const std::string text = program_of({"syscall::openat", "errno == 13", 13}, {"may_open", "vfs_open"}, true);
    EXPECT_NE(text.find("syscall::openat:entry\n/progenyof($target)/"), std::string::npos);
    EXPECT_NE(text.find("fbt::may_open:entry,\nfbt::vfs_open:entry\n/self->asked/"), std::string::npos);
    EXPECT_NE(text.find("(int)arg1 == -13"), std::string::npos);
}

} // namespace
} // namespace dt::cmd
