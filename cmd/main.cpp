// dtrace(8): argv in, exit status out.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "cmd/messages.hpp"
#include "cmd/modes.hpp"
#include "cmd/settings.hpp"

namespace dt::cmd {
namespace {

/// Modes of later versions: known, so that the message can say more than "unknown option".
constexpr struct {
    Mode mode;
    const char* option;
} kNotYet[] = {{Mode::Shell, "--shell"}, {Mode::Doctor, "--doctor"}, {Mode::Daemon, "--daemon"}};

int tell_usage(const char* argv0, const UsageError& error)
{
    Arguments named;
    const std::string path = argv0 ? argv0 : "dtrace";
    named.program_name = path.substr(path.rfind('/') + 1);
    for (const std::string& message : error.messages)
        say(named, message);
    if (error.messages.empty())
        std::fputs(usage_text(named.program_name).c_str(), stderr);
    return kUsage;
}

/// `dtrace -l | head`: nobody is left to tell anything, so leave without a word. Runs that trace handle it themselves.
void leave_quietly_without_reader()
{
    signal(SIGPIPE, [](int) { _exit(kSuccess); });
}

constexpr char kNoMemory[] = "dtrace: Memory allocation failure\n";

[[noreturn]] void give_up()
{
    try {
        if (const std::exception_ptr thrown = std::current_exception())
            std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
    } catch (...) {
        __gnu_cxx::__verbose_terminate_handler();
    }
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kNoMemory, sizeof kNoMemory - 1);
    _exit(kFailure);
}

/// Memory may be missing already for what is made before main(), and even for the exception that says so: then the C++ library gives up without one.
[[gnu::constructor(101)]] void end_in_one_line_without_memory()
{
    std::set_terminate(give_up);
}

Result<void> open_processes(const Arguments& arguments, HoldPoint point, Processes& processes)
{
    for (const ProcessRequest& request : arguments.processes)
        if (Result<void> opened = request.is_command ? processes.create(request.text, point) : processes.attach(request.text); !opened) {
            const bool is_gone = !request.is_command && opened.error().code == ESRCH;
            return is_gone ? Error{opened.error().message + "\n\tthere is none with the number " + request.text, ESRCH} : opened.error();
        }
    return {};
}

int trace(const Arguments& arguments)
{
    const bool makes_usdt = arguments.mode == Mode::Link || arguments.mode == Mode::Header; // for a program: nothing is traced
    const bool needs_root = !makes_usdt && (arguments.mode == Mode::List || !arguments.compile_only);
    if (needs_root && geteuid() != 0) {
        say(arguments, "run as root for tracing and listing probes");
        return kUsage;
    }

    // Options: defaults, environment, command line. Pragmas follow while compiling.
    Options options;
    set_options_from_environment(options, environ);
    if (const Result<void> applied = apply_settings(arguments.settings, options); !applied) {
        say(arguments, applied.error().message);
        return kFailure;
    }

    // Where output goes.
    Output output;
    if (arguments.output && !makes_usdt)
        if (const Result<void> opened = output.open(*arguments.output); !opened) {
            say(arguments, "failed to open output file '" + *arguments.output + "': " + opened.error().message);
            return kFailure;
        }

    // The processes of -c and -p: held until tracing is on.
    Session session(std::move(options));
    if (const Result<void> opened = open_processes(arguments, hold_point(session.options().evaltime), session.processes()); !opened) {
        say(arguments, opened.error().message);
        return kFailure;
    }

    if (const Result<void> prepared = session.prepare(); !prepared) {
        say(arguments, prepared.error().message);
        return kFailure;
    }

    Options options_of_run = session.options();
    options_of_run.zdefs |= arguments.mode == Mode::List || makes_usdt; // which say what matches nothing themselves
    Run run(session, std::move(options_of_run));
    Command command{arguments, session, run, output};
    if (arguments.mode == Mode::List)
        return list_mode(command);
    if (makes_usdt)
        return arguments.mode == Mode::Link ? link_mode(command) : header_mode(command);
    return arguments.compile_only ? compile_only_mode(command) : run_mode(command);
}

/// Started with one of them closed, a file or a map of ours would get its number, and what is meant for a person would go there.
void reserve_standard_descriptors()
{
    for (int descriptor = open("/dev/null", O_RDWR); descriptor >= 0; descriptor = open("/dev/null", O_RDWR))
        if (descriptor > STDERR_FILENO) {
            close(descriptor);
            return;
        }
}

int run(std::span<const char* const> argv)
{
    reserve_standard_descriptors();
    const auto parsed = parse_arguments(argv);
    if (const auto* error = std::get_if<UsageError>(&parsed))
        return tell_usage(argv.empty() ? nullptr : argv[0], *error);
    const auto& arguments = std::get<Arguments>(parsed);

    for (const auto& later : kNotYet)
        if (arguments.mode == later.mode) {
            say(arguments, std::string(later.option) + " is not available in this version");
            return kUsage;
        }
    leave_quietly_without_reader();
    if (arguments.mode == Mode::Help)
        return std::fputs(usage_text(arguments.program_name).c_str(), stdout) < 0 ? kFailure : kSuccess;
    if (arguments.mode == Mode::Version)
        return version_mode(arguments);
    return trace(arguments);
}

} // namespace
} // namespace dt::cmd

int main(int argc, char** argv)
{
    try {
        return dt::cmd::run({argv, static_cast<std::size_t>(argc)});
    } catch (const std::bad_alloc&) { // everything is detached by now
        std::fputs(dt::cmd::kNoMemory, stderr);
        return dt::cmd::kFailure;
    }
}
