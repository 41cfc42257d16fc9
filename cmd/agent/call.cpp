#include "cmd/agent/call.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "cmd/hosts/lines.hpp"

namespace dt::cmd {
namespace {

using CallClock = std::chrono::steady_clock;

/// Time from SIGTERM to SIGKILL.
constexpr auto kGraceOfCall = std::chrono::seconds(10);

class Call {
public:
    explicit Call(const CallLimits& limits) : limits_(limits), until_(CallClock::now() + limits.time) {}
    ~Call()
    {
        for (const int each : files_)
            if (each >= 0)
                close(each);
    }

    /// Returns 0 or an errno.
    int start(const std::vector<std::string>& words)
    {
        int output[2], error[2];
        if (pipe2(output, O_CLOEXEC) != 0)
            return errno;
        files_[0] = output[0];
        if (pipe2(error, O_CLOEXEC) != 0) {
            const int failed = errno;
            close(output[1]);
            return failed;
        }
        files_[1] = error[0];
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, error[1], STDERR_FILENO);
        std::vector<char*> argv;
        std::string name = "dtrace";
        argv.push_back(name.data());
        for (const std::string& word : words)
            argv.push_back(const_cast<char*>(word.c_str()));
        argv.push_back(nullptr);
        const int failed = posix_spawn(&process_, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        close(output[1]);
        close(error[1]);
        return failed;
    }

    template <typename Handle> void run(const Handle& output, const Handle& error)
    {
        while (files_[0] >= 0 || files_[1] >= 0) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(until_ - CallClock::now());
            if (left.count() <= 0) {
                end_or_kill();
                continue;
            }
            std::array<pollfd, 2> waits{{{files_[0], POLLIN, 0}, {files_[1], POLLIN, 0}}};
            if (poll(waits.data(), waits.size(), static_cast<int>(std::min<int64_t>(left.count(), 60'000))) <= 0)
                continue;
            if (waits[0].revents != 0)
                read_lines(0, [&](std::string_view line) { count(line, output); });
            if (waits[1].revents != 0)
                read_lines(1, [&](std::string_view line) { count_message(line, error); });
        }
    }

    CallEnd end()
    {
        int status = 0;
        while (waitpid(process_, &status, 0) < 0 && errno == EINTR)
            continue;
        constexpr int kSignalled = 128;
        if (is_asked_ && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) // SIGTERM met no handler of the child
            status = 0;
        return {WIFEXITED(status) ? WEXITSTATUS(status) : kSignalled + WTERMSIG(status), cut_, {}};
    }

private:
    void end_or_kill()
    {
        kill(process_, is_asked_ ? SIGKILL : SIGTERM);
        if (!is_asked_ && !*cut_)
            cut_ = "time";
        is_asked_ = true;
        until_ = CallClock::now() + kGraceOfCall;
    }

    template <typename Handle> void count(std::string_view line, const Handle& handle)
    {
        ++rows_;
        bytes_ += line.size() + 1;
        const char* const over = rows_ > limits_.rows ? "rows" : bytes_ > limits_.bytes ? "bytes" : nullptr;
        if (over && !is_full_) {
            is_full_ = true;
            cut_ = over;
            end_or_kill();
        }
        if (!is_full_)
            handle(line);
    }

    /// Passes on messages, with their own limit of limits_.bytes.
    template <typename Handle> void count_message(std::string_view line, const Handle& handle)
    {
        message_bytes_ += line.size() + 1;
        if (message_bytes_ <= limits_.bytes)
            return handle(line);
        if (!is_full_)
            end_or_kill();
        is_full_ = true;
        cut_ = "bytes";
    }

    template <typename Handle> void read_lines(std::size_t which, const Handle& handle)
    {
        char bytes[1 << 16];
        const ssize_t size = ::read(files_[which], bytes, sizeof bytes);
        if (size > 0)
            return lines_[which].add({bytes, static_cast<std::size_t>(size)}, handle);
        if (size < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        lines_[which].finish(handle);
        close(std::exchange(files_[which], -1));
    }

    const CallLimits limits_;
    CallClock::time_point until_;
    std::array<int, 2> files_ = {-1, -1};
    std::array<Lines, 2> lines_;
    pid_t process_ = -1;
    uint64_t rows_ = 0, bytes_ = 0, message_bytes_ = 0;
    bool is_asked_ = false, is_full_ = false;
    const char* cut_ = "";
};

} // namespace

CallEnd call_self(const std::vector<std::string>& words, const CallLimits& limits,
                  const std::function<void(std::string_view line)>& output,
                  const std::function<void(std::string_view line)>& error)
{
    Call call(limits);
    if (const int failed = call.start(words); failed != 0)
        return {0, "", std::strerror(failed)};
    call.run(output, error);
    return call.end();
}

} // namespace dt::cmd
