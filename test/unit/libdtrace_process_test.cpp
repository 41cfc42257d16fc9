// Tests the processes of -c and -p.
#include "libdtrace/process/process.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <thread>

namespace dt {
namespace {

bool ends_soon(Processes& processes)
{
    for (int i = 0; i < 30'000 && !processes.all_gone(); ++i)
        usleep(10'000);
    return processes.all_gone();
}

std::string executable_of(pid_t pid)
{
    std::error_code ignored;
    return std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/exe", ignored).filename();
}

TEST(Processes, ACommandIsStoppedAfterExecUntilItIsReleased)
{
    const std::string marker = testing::TempDir() + "dt_process_" + std::to_string(getpid());
    Processes processes;
    ASSERT_TRUE(processes.create("touch  " + marker));
    EXPECT_GT(processes.first_pid(), 0);
    EXPECT_NE(executable_of(processes.first_pid()), executable_of(getpid()));
    usleep(50'000);
    EXPECT_FALSE(std::filesystem::exists(marker));
    EXPECT_FALSE(processes.all_gone());
    processes.release();
    EXPECT_TRUE(ends_soon(processes));
    EXPECT_TRUE(std::filesystem::exists(marker));
    std::filesystem::remove(marker);
}

TEST(Processes, AStoppedCommandEndsWhenItsOwnerEnds)
{
    pid_t pid = 0;
    {
        Processes processes;
        ASSERT_TRUE(processes.create("sleep 1000"));
        pid = processes.first_pid();
    }
    EXPECT_EQ(kill(pid, 0), -1);
    EXPECT_EQ(errno, ESRCH);
}

TEST(Processes, AReleasedCommandEndsWhenItsOwnerEnds)
{
    pid_t pid = 0;
    {
        Processes processes;
        ASSERT_TRUE(processes.create("sleep 1000"));
        pid = processes.first_pid();
        processes.release();
        EXPECT_EQ(kill(pid, 0), 0);
    }
    EXPECT_EQ(kill(pid, 0), -1);
    EXPECT_EQ(errno, ESRCH);
}

TEST(Processes, ACommandThatCannotBeExecutedIsAnError)
{
    Processes processes;
    const Result<void> result = processes.create("/nonexistent/command -x");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, "failed to execute /nonexistent/command -x: No such file or directory");
    EXPECT_FALSE(processes.create("  "));
    EXPECT_TRUE(processes.empty());
}

TEST(Processes, InvalidPidsAreReported)
{
    Processes processes;
    EXPECT_EQ(processes.attach("12x").error().message, "invalid pid: 12x");
    EXPECT_EQ(processes.attach("").error().message, "invalid pid: ");
    EXPECT_EQ(processes.attach("-5").error().message, "invalid pid: -5");
    EXPECT_EQ(processes.attach("99999999999").error().message, "No such process");
    EXPECT_EQ(processes.attach("4194303").error().message, "No such process");
}

TEST(Processes, TheProcessOfAThreadIsReadFromTheMountedProc)
{
    const std::string proc = testing::TempDir() + "dt_proc_" + std::to_string(getpid());
    std::string message, thread;
    std::thread([&] {
        thread = std::to_string(gettid());
        std::filesystem::create_directories(proc + "/" + thread);
        std::ofstream(proc + "/" + thread + "/status") << "Name:\tshop\nTgid:\t77\n";
        message = Processes(proc).attach(thread).error().message;
    }).join();
    EXPECT_EQ(message, thread + " is a thread of process 77: use -p 77");
    std::filesystem::remove_all(proc);
}

TEST(Processes, TheEndOfAProcessThatIsNoChildIsDetected)
{
    const pid_t pid = fork();
    if (pid == 0) {
        pause();
        _exit(0);
    }
    Processes processes;
    ASSERT_TRUE(processes.attach(std::to_string(pid)));
    EXPECT_FALSE(processes.all_gone());
    kill(pid, SIGKILL);
    pollfd ended{processes.descriptors().at(0), POLLIN, 0};
    EXPECT_EQ(poll(&ended, 1, 5000), 1);
    EXPECT_TRUE(processes.all_gone());
    EXPECT_TRUE(processes.descriptors().empty());
    waitpid(pid, nullptr, 0);
}

TEST(Processes, TheRunEndsWhenTheLastProcessEnds)
{
    Processes processes;
    // false without processes, so a trace without -c and -p does not end
    EXPECT_FALSE(processes.all_gone());
    ASSERT_TRUE(processes.create("true"));
    ASSERT_TRUE(processes.create("sleep 1000"));
    const pid_t sleeper = processes.pids().at(1);
    processes.release();
    for (int i = 0; i < 30'000 && processes.pids().size() > 1; ++i) {
        usleep(10'000);
        EXPECT_FALSE(processes.all_gone());
    }
    EXPECT_EQ(processes.pids().size(), 1u);
    kill(sleeper, SIGKILL);
    EXPECT_TRUE(ends_soon(processes));
}

} // namespace
} // namespace dt
