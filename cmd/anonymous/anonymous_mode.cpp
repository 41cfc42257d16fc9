// Modes of anonymous tracing, which starts at boot without a user. -A saves a program for tracing from boot on, or
// removes the saved program. --initramfs makes tracing start at the very beginning of the boot. -a claims the trace: it
// takes over the trace's output.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "cmd/anonymous/claim_server.hpp"
#include "cmd/anonymous/saved_program.hpp"
#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "libdtrace/records/actions.hpp"

namespace dt::cmd {
namespace {

constexpr char kUnit[] = "dtrace-anon.service";

/// Enables or disables the systemd unit that starts tracing at boot. Callers must use the system's own directory for
/// the saved program, because the unit always reads that directory.
bool notify_manager(const std::string& verb)
{
    const Result<int> status =
        run_system_command("systemctl --quiet --no-reload " + verb + " " + kUnit + " >/dev/null 2>&1", STDERR_FILENO);
    return status && WIFEXITED(status.value()) && WEXITSTATUS(status.value()) == 0;
}

void report_initramfs(const Arguments& arguments)
{
    if (access(anonymous::kInitramfsHook, F_OK) == 0)
        print_message(arguments, "run update-initramfs -u to update the initramfs too");
}

} // namespace

int save_anonymous_mode(Command& command)
{
    const Arguments& arguments = command.arguments;
    if (arguments.programs.empty())
        return no_program(command);
    if (!add_programs(command) || !finish_programs(command))
        return kFailure;
    std::vector<std::string> scripts;
    for (const ProgramText& program : arguments.programs)
        if (program.kind == SpecKind::Script) {
            std::optional<Script> script = read_program(arguments, command.trace.options(), program.text);
            if (!script)
                return kFailure;
            scripts.push_back(std::move(script->text));
        }
    const anonymous::AnonymousPaths places = anonymous::anonymous_paths();
    const Result<void> saved = anonymous::save_program(
        anonymous::make_saved_program(arguments, std::move(scripts), places.program), places.program);
    if (!saved) {
        print_message(arguments, saved.error().message);
        return kFailure;
    }
    print_message(arguments, "saved anonymous enabling in " + places.program);
    if (!places.is_system)
        return kSuccess;
    print_message(arguments, notify_manager("enable")
                                 ? std::string("enabled ") + kUnit + ": tracing starts at the next boot"
                                 : std::string("could not enable ") + kUnit +
                                       ": run dtrace --anonymous early in the boot yourself");
    report_initramfs(arguments);
    return kSuccess;
}

int remove_anonymous_mode(const Arguments& arguments, const Options&, Output&)
{
    const anonymous::AnonymousPaths places = anonymous::anonymous_paths();
    const Result<bool> removed = anonymous::remove_saved_program(places.program);
    if (!removed) {
        print_message(arguments, removed.error().message);
        return kFailure;
    }
    print_message(arguments, removed.value() ? "cleaned up old anonymous enabling in " + places.program
                                             : "no anonymous enabling was saved in " + places.program);
    if (!places.is_system)
        return kSuccess;
    if (notify_manager("disable"))
        print_message(arguments, std::string("disabled ") + kUnit);
    if (removed.value())
        report_initramfs(arguments);
    return kSuccess;
}

// dtrace --initramfs [DIR]: writes scripts for initramfs-tools(7) that start the saved program at the very beginning of
// the boot.
//
// A hook script copies the command, its libraries and the saved program into the initramfs. A script in init-top starts
// tracing before the boot loads modules and searches the root file system.

namespace {

constexpr char kHook[] = R"(#!/bin/sh
# Written by dtrace --initramfs: copies dtrace and the program that dtrace -A saved into the initramfs.
[ "$1" != prereqs ] || exit 0
program=PROGRAM
[ -e "$program/arguments" ] && [ -x DTRACE ] || exit 0
. /usr/share/initramfs-tools/hook-functions
copy_exec DTRACE /sbin/dtrace
mkdir -p "$DESTDIR$program"
cp -a "$program/." "$DESTDIR$program"
)";

constexpr char kStart[] = R"(#!/bin/sh
# Written by dtrace --initramfs: starts the saved program. The boot continues even if that fails.
[ "$1" != prereqs ] || exit 0
[ -x /sbin/dtrace ] || exit 0
[ -d /sys/kernel/tracing/events ] || mount -t tracefs tracefs /sys/kernel/tracing
/sbin/dtrace --anonymous || echo "dtrace: the boot is not traced"
exit 0
)";

std::string replaced(std::string text, const std::string& word, const std::string& by)
{
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
        text.replace(at, word.size(), by);
    return text;
}

Result<void> write_script(const std::string& path, const std::string& text)
{
    std::error_code failed;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), failed);
    std::ofstream file(path, std::ios::trunc);
    file << text;
    file.close();
    if (!file || chmod(path.c_str(), 0755) != 0)
        return Error{"failed to write " + path + ": " + std::strerror(errno), errno};
    return {};
}

} // namespace

int initramfs_mode(const Arguments& arguments, const Options&, Output&)
{
    const std::string directory =
        arguments.operands.empty() ? std::string(anonymous::kInitramfsTools) : arguments.operands[0];
    std::error_code failed;
    const std::string myself = std::filesystem::read_symlink("/proc/self/exe", failed);
    const std::string hook =
        replaced(replaced(kHook, "PROGRAM", anonymous::anonymous_paths().program), "DTRACE", myself);
    for (const auto& [path, text] : {std::pair(directory + "/hooks/dtrace", hook),
                                     std::pair(directory + "/scripts/init-top/dtrace", std::string(kStart))}) {
        if (const Result<void> written = write_script(path, text); !written) {
            print_message(arguments, written.error().message);
            return kFailure;
        }
        print_message(arguments, "wrote " + path);
    }
    if (directory == anonymous::kInitramfsTools)
        print_message(
            arguments,
            "run update-initramfs -u after each dtrace -A; tracing then starts in the initramfs at the next boot");
    return kSuccess;
}

} // namespace dt::cmd

// dtrace -a: claims an anonymous trace. Prints the output that was stored so far, and then further output as it
// arrives.
//
// With -e, or after an interrupt, the trace ends: END runs and aggregations are printed. If this process ends in
// another way, the trace ends too.

namespace dt::anonymous {
namespace {

void send_to_claim_server(int keeper, ClaimRequest what)
{
    const char asked = static_cast<char>(what);
    send(keeper, &asked, 1, MSG_NOSIGNAL);
}

/// Returns a descriptor from which the signals that end the process are read. Blocks these signals, except those that
/// the process ignores, as under nohup: signalfd would deliver them if they were blocked.
int ending_signals()
{
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
        struct sigaction now {};
        if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(&set, signal);
    }
    sigprocmask(SIG_BLOCK, &set, nullptr);
    return signalfd(-1, &set, SFD_CLOEXEC);
}

/// Prints the data that the keeper (claim_server.cpp) sends in frames: output goes to standard output or to the file of
/// -o, messages to standard error.
class Printer {
public:
    explicit Printer(Output& output) : output_(output) {}

    Result<void> print(FrameKind kind, const std::string& text)
    {
        if (kind == FrameKind::Output)
            output_.write(text);
        else [[maybe_unused]]
            const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
        return output_.flush();
    }

private:
    Output& output_;
};

/// Prints the protocol frames that were received completely. Returns the exit status if a frame contained it.
std::optional<int> print_frames(std::string& come, Printer& printer, Result<void>& printed)
{
    FrameHeader header;
    while (come.size() >= sizeof header) {
        std::memcpy(&header, come.data(), sizeof header);
        if (header.kind == FrameKind::Status)
            return static_cast<int>(header.size);
        if (come.size() < sizeof header + header.size)
            break;
        printed = printer.print(header.kind, come.substr(sizeof header, header.size));
        come.erase(0, sizeof header + header.size);
        if (!printed)
            break;
    }
    return std::nullopt;
}

/// Prints all protocol frames until the trace ends. Returns the trace's exit status, or an error if none was received.
Result<int> print_all_that_comes(int keeper, Output& output)
{
    const int interrupted = ending_signals();
    Printer printer(output);
    Result<void> printed;
    std::string come;
    while (printed) {
        std::array<pollfd, 2> waits{{{keeper, POLLIN, 0}, {interrupted, POLLIN, 0}}};
        poll(waits.data(), waits.size(), -1);
        if (waits[1].revents != 0) {
            signalfd_siginfo which;
            [[maybe_unused]] const ssize_t size = read(interrupted, &which, sizeof which);
            send_to_claim_server(keeper, ClaimRequest::End);
        }
        if (waits[0].revents == 0)
            continue;
        char room[1 << 16];
        const ssize_t size = read(keeper, room, sizeof room);
        if (size <= 0)
            return Error{"the process that runs the anonymous trace was killed: its remaining data is lost", 0};
        come.append(room, static_cast<std::size_t>(size));
        if (const std::optional<int> status = print_frames(come, printer, printed); status)
            return *status;
    }
    return printed.error();
}

} // namespace
} // namespace dt::anonymous

namespace dt::cmd {

int claim_mode(const Arguments& arguments, const Options&, Output& output)
{
    const Result<int> keeper = anonymous::connect_to_claim_server(anonymous::anonymous_paths().socket());
    if (!keeper) {
        const bool is_there = keeper.error().code != ENOENT && keeper.error().code != ECONNREFUSED;
        print_message(arguments, "could not enable tracing: " +
                                     (is_there ? "cannot claim the anonymous state: " + keeper.error().message
                                               : std::string("No anonymous tracing state")));
        return kFailure;
    }
    anonymous::send_to_claim_server(keeper.value(), anonymous::ClaimRequest::Claim);
    if (arguments.compile_only)
        anonymous::send_to_claim_server(keeper.value(), anonymous::ClaimRequest::End);
    const Result<int> status = anonymous::print_all_that_comes(keeper.value(), output);
    close(keeper.value());
    if (status)
        return status.value();
    print_message(arguments, status.error().message);
    return kFailure;
}

} // namespace dt::cmd
