// Tests the history file of the shell, which is written only if no other user can read it.
#include "cmd/shell/readline.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace dt::shell {
namespace {

class ShellHistory : public testing::Test {
protected:
    ShellHistory() { setenv("XDG_STATE_HOME", state_.c_str(), 1); }
    ~ShellHistory() override
    {
        unsetenv("XDG_STATE_HOME");
        std::filesystem::remove_all(state_);
    }

    static unsigned mode(const std::string& path)
    {
        struct stat found {};
        return lstat(path.c_str(), &found) == 0 ? found.st_mode & 07777 : 0;
    }

    const std::string state_ = testing::TempDir() + "dt_history_" + std::to_string(getpid());
};

TEST_F(ShellHistory, FileIsReadableByItsOwnerOnly)
{
    EXPECT_EQ(history_file(), state_ + "/dtrace/history");
    EXPECT_EQ(mode(state_ + "/dtrace"), 0700u);
    EXPECT_EQ(mode(state_ + "/dtrace/history"), 0600u);
    chmod((state_ + "/dtrace/history").c_str(), 0644);
    EXPECT_EQ(history_file(), state_ + "/dtrace/history");
    EXPECT_EQ(mode(state_ + "/dtrace/history"), 0600u);
}

TEST_F(ShellHistory, IsNotSavedInAWorldWritableDirectory)
{
    std::filesystem::create_directories(state_ + "/dtrace");
    chmod((state_ + "/dtrace").c_str(), 0777);
    EXPECT_EQ(history_file(), "");
}

TEST_F(ShellHistory, FollowsNoSymbolicLink)
{
    std::filesystem::create_directories(state_ + "/dtrace");
    chmod((state_ + "/dtrace").c_str(), 0700);
    std::filesystem::create_symlink(state_ + "/elsewhere", state_ + "/dtrace/history");
    EXPECT_EQ(history_file(), "");
    EXPECT_FALSE(std::filesystem::exists(state_ + "/elsewhere"));
}

TEST_F(ShellHistory, NeedsAnExistingDirectory)
{
    setenv("XDG_STATE_HOME", "relative", 1);
    const char* const home = std::getenv("HOME");
    const std::string former = home ? home : "";
    unsetenv("HOME");
    EXPECT_EQ(history_file(), "");
    if (home)
        setenv("HOME", former.c_str(), 1);
}

} // namespace
} // namespace dt::shell
