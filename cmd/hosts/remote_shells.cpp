// Starts the processes that reach hosts, and splits their output into lines.
#include "cmd/hosts/remote_shells.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

extern char** environ;

namespace dt::cmd {
namespace {

/// Raises the limit of open files, because a thousand hosts need three descriptors each.
void allow_many_descriptors()
{
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

sigset_t signals_that_end()
{
    sigset_t set;
    sigemptyset(&set);
    for (const int each : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&set, each);
    return set;
}

std::string with_placeholder(std::string text, std::string_view what, const std::string& with)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    return text;
}

} // namespace

std::string shell_word(std::string_view text)
{
    std::string word = "'";
    for (const char each : text)
        each == '\'' ? word += "'\\''" : word += each;
    return word + "'";
}

RemoteShells::~RemoteShells()
{
    end();
    if (signals_ >= 0)
        close(signals_);
}

Result<void> RemoteShells::start(const std::string& remote_shell, const std::string& set,
                                 const std::vector<std::string>& hosts, const std::string& command)
{
    allow_many_descriptors();
    const sigset_t caught = signals_that_end();
    sigprocmask(SIG_BLOCK, &caught, nullptr);
    signals_ = signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
    const bool has_place = remote_shell.find("%c") != std::string::npos;
    // Inserts the command last, because it may itself contain text such as %h, which must not be replaced.
    const auto with_command = [&](const std::string& text) {
        return has_place ? with_placeholder(text, "%c", shell_word(command)) : text + " " + shell_word(command);
    };
    if (remote_shell.find("%n") == std::string::npos)
        return start_one(with_command(with_placeholder(remote_shell, "%h", shell_word(set))), {});
    for (const std::string& host : hosts)
        if (Result<void> started =
                start_one(with_command(with_placeholder(remote_shell, "%n", shell_word(host))), host);
            !started)
            return started;
    return {};
}

Result<void> RemoteShells::start_one(const std::string& shell_text, std::string host)
{
    int output[2], error[2];
    if (pipe2(output, O_CLOEXEC) != 0)
        return Error{std::string("cannot start the remote command: ") + std::strerror(errno), errno};
    if (pipe2(error, O_CLOEXEC) != 0) {
        const int code = errno;
        close(output[0]);
        close(output[1]);
        return Error{std::string("cannot start the remote command: ") + std::strerror(code), code};
    }
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, output[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, error[1], STDERR_FILENO);
    posix_spawnattr_t how;
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    sigset_t none, usual = signals_that_end();
    sigemptyset(&none);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &usual);
    std::string shell = "/bin/sh", option = "-c", text = shell_text;
    char* const words[] = {shell.data(), option.data(), text.data(), nullptr};
    Process process;
    const int failed = posix_spawn(&process.pid, shell.c_str(), &files, &how, words, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    close(output[1]);
    close(error[1]);
    process.host = std::move(host);
    process.output = output[0];
    process.error = error[0];
    if (failed != 0) {
        close(output[0]);
        close(error[0]);
        return Error{std::string("cannot start the remote command: ") + std::strerror(failed), failed};
    }
    for (const int each : {process.output, process.error})
        fcntl(each, F_SETFL, O_NONBLOCK);
    left_ += 2;
    processes_.push_back(std::move(process));
    return {};
}

bool RemoteShells::wait(int ms, const Handlers& handlers)
{
    std::vector<pollfd> files = {{signals_, POLLIN, 0}};
    std::vector<std::pair<uint32_t, bool>> of;
    for (uint32_t i = 0; i < processes_.size(); ++i)
        for (const bool is_output : {true, false})
            if (const int each = is_output ? processes_[i].output : processes_[i].error; each >= 0) {
                files.push_back({each, POLLIN, 0});
                of.emplace_back(i, is_output);
            }
    if (poll(files.data(), files.size(), ms) <= 0)
        return true;
    for (std::size_t i = 1; i < files.size(); ++i)
        if (files[i].revents != 0)
            read(of[i - 1].first, of[i - 1].second, handlers);
    return files[0].revents == 0;
}

void RemoteShells::read(uint32_t index, bool is_output, const Handlers& handlers)
{
    Process& process = processes_[index];
    int& descriptor = is_output ? process.output : process.error;
    Lines& lines = is_output ? process.output_lines : process.error_lines;
    const auto& handle = is_output ? handlers.output : handlers.error;
    const auto add = [&](std::string_view line) { handle(index, line); };
    char bytes[1 << 16];
    const ssize_t size = ::read(descriptor, bytes, sizeof bytes);
    if (size > 0)
        return lines.add({bytes, static_cast<std::size_t>(size)}, add);
    if (size < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    lines.finish(add);
    close(std::exchange(descriptor, -1));
    --left_;
    if (process.output < 0 && process.error < 0)
        handlers.end(index);
}

void RemoteShells::end()
{
    for (Process& process : processes_) {
        for (int* each : {&process.output, &process.error})
            if (*each >= 0)
                close(std::exchange(*each, -1));
        if (process.pid > 0)
            kill(-process.pid, SIGTERM);
    }
    for (Process& process : processes_)
        if (process.pid > 0)
            while (waitpid(process.pid, nullptr, 0) < 0 && errno == EINTR)
                continue;
    left_ = 0;
}

} // namespace dt::cmd
