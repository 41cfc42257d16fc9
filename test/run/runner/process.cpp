// Runs child processes of a test.
//
// Output goes to files instead of pipes: a grandchild that keeps a pipe open would delay the end of the test, and a
// full pipe would block its writer.
#include "test/run/runner/process.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dt::runtest {

namespace {

void redirect(const char* path, int flags, int to)
{
    int fd = open(path, flags | O_CLOEXEC, 0644);
    if (fd < 0 || dup2(fd, to) < 0)
        _exit(127);
}

bool poll_end(pid_t pid, std::chrono::steady_clock::time_point until, int& status)
{
    using namespace std::chrono_literals;
    auto nap = 1ms;
    for (;;) {
        int status_of_child = 0;
        pid_t got = 0;
        while ((got = waitpid(-1, &status_of_child, WNOHANG)) > 0) { // also reaps processes whose parent has ended
            if (got == pid) {
                status = status_of_child;
                return true;
            }
        }
        if (got < 0)
            return true;
        if (std::chrono::steady_clock::now() >= until)
            return false;
        std::this_thread::sleep_for(nap);
        nap = std::min(nap * 2, std::chrono::milliseconds(20));
    }
}

} // namespace

void adopt_orphans()
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void end_descendants()
{
    const std::string path = "/proc/self/task/" + std::to_string(getpid()) + "/children";
    for (;;) {
        std::ifstream children(path);
        pid_t child = 0;
        if (!(children >> child))
            return;
        do
            kill(child, SIGKILL);
        while (children >> child);
        // the children of a killed process become children of this process, and the next iteration kills them
        waitpid(-1, nullptr, 0);
    }
}

pid_t start(const Command& command)
{
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    setpgid(0, 0);
    for (int signal : {SIGINT, SIGTERM, SIGPIPE})
        std::signal(signal, SIG_DFL);
    if (chdir(command.directory.c_str()) != 0)
        _exit(127);
    for (const auto& entry : command.env) {
        auto equals = entry.find('=');
        setenv(entry.substr(0, equals).c_str(), equals == std::string::npos ? "" : entry.c_str() + equals + 1, 1);
    }
    redirect("/dev/null", O_RDONLY, 0);
    redirect(command.out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 1);
    redirect(command.err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 2);
    std::vector<char*> words;
    for (const auto& word : command.words)
        words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execvp(words[0], words.data());
    _exit(127);
}

Ended wait_for(pid_t pid, int timeout_s)
{
    using namespace std::chrono_literals;
    Ended ended;
    int status = 0;
    auto now = std::chrono::steady_clock::now();
    if (!poll_end(pid, now + std::chrono::seconds(timeout_s), status)) {
        ended.timed_out = true;
        kill(-pid, SIGTERM);
        if (!poll_end(pid, std::chrono::steady_clock::now() + 10s, status)) {
            kill(-pid, SIGKILL);
            waitpid(pid, &status, 0);
        }
    }
    kill(-pid, SIGKILL); // kills the descendants that still run
    ended.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return ended;
}

void end_group(pid_t pid)
{
    kill(-pid, SIGKILL);
    waitpid(pid, nullptr, 0);
}

} // namespace dt::runtest
