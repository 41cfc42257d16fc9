// Entry point of dtrace(8): parses the command line and runs the selected mode.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <variant>

#include "cmd/anonymous/claim_server.hpp"
#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "cmd/common/tools.hpp"
#include "libdtrace/loop/signals.hpp"
#include "libdtrace/output/output_target.hpp"
#include "libdtrace/process/engine_client.hpp"
#include "libdtrace/session/capabilities.hpp"

namespace dt::cmd {
namespace {

int print_usage(const char* argv0, const UsageError& error)
{
    Arguments named;
    const std::string path = argv0 ? argv0 : "dtrace";
    named.program_name = path.substr(path.rfind('/') + 1);
    for (const std::string& message : error.messages)
        print_message(named, message);
    if (error.messages.empty())
        std::fputs(help_text(named.program_name).c_str(), stderr);
    return kUsage;
}

/// Ends silently at SIGPIPE, for `dtrace -l | head`. Modes that trace replace this handler.
void leave_quietly_without_reader()
{
    signal(SIGPIPE, [](int) { _exit(kSuccess); });
}

/// Turns a file size limit (ulimit -f) into an error of write(2). Uses a handler instead of SIG_IGN, because started
/// commands would inherit SIG_IGN.
void survive_file_size_limit()
{
    struct sigaction handled {};
    handled.sa_handler = [](int) {};
    handled.sa_flags = SA_RESTART;
    sigaction(SIGXFSZ, &handled, nullptr);
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

/// Makes std::terminate() print a single line. The C++ library calls it if memory is exhausted before main() or while
/// an exception is created.
[[gnu::constructor(101)]] void end_in_one_line_without_memory()
{
    std::set_terminate(give_up);
}

/// Types of the functions that run a mode. InSession: runs in a tracing session. WithoutOptions: needs no session and
/// runs before the options of -x are read. WithOptions: needs no session and runs after that. Stored: returns arguments
/// that were stored in a file; they then run as if they had been typed.
using InSession = int (*)(Command&);
using WithoutOptions = int (*)(const Arguments&);
using WithOptions = int (*)(const Arguments&, const Options&, Output&);
using Stored = std::variant<int, Arguments> (*)(const Arguments&);

/// Condition under which a mode needs the rights to trace.
enum class Rights : uint8_t { None, UnlessCompiling, Always };

struct ModeEntry {
    Mode mode;
    std::variant<InSession, WithoutOptions, WithOptions, Stored> function;
    Rights rights = Rights::None;
    /// whether options -e, -x save and -x estimate select another function of this mode
    bool compiles = false;
    bool catches_signals = false;   ///< whether the mode catches signals; with -e or -x save it never does
    bool reports_unmatched = false; ///< whether the mode itself reports descriptions that match nothing
    bool makes_usdt = false;        ///< whether the mode only builds USDT files and traces nothing
};

/// Returns the usage text in the comments of a script or tool.
std::string usage_of(const std::string& script)
{
    const std::string usage = usage_of_script(script);
    return usage.empty() ? usage_of_script(find_tool(script)) : usage;
}

int help_mode(const Arguments& arguments)
{
    if (arguments.help_service)
        return print_all(arguments, service_help_text(arguments.program_name));
    if (arguments.help_all)
        return print_all(arguments, usage_text(arguments.program_name));
    for (const ProgramText& program : arguments.programs)
        if (const std::string usage = program.kind == SpecKind::Script ? usage_of(program.text) : ""; !usage.empty())
            return print_all(arguments, usage);
    return print_all(arguments, help_text(arguments.program_name));
}

constexpr ModeEntry kModes[] = {
    // clang-format off
    {.mode = Mode::Run, .function = run_mode, .rights = Rights::UnlessCompiling, .compiles = true, .catches_signals = true},
    {.mode = Mode::List, .function = list_mode, .rights = Rights::Always, .reports_unmatched = true},
    {.mode = Mode::Link, .function = link_mode, .reports_unmatched = true, .makes_usdt = true},
    {.mode = Mode::Header, .function = header_mode, .reports_unmatched = true, .makes_usdt = true},
    {.mode = Mode::Version, .function = version_mode},
    {.mode = Mode::Help, .function = help_mode},
    {.mode = Mode::Tools, .function = tools_mode},
    {.mode = Mode::Shell, .function = shell_mode, .rights = Rights::UnlessCompiling},
    {.mode = Mode::Lsp, .function = lsp_mode},
    {.mode = Mode::Agent, .function = agent_mode},
    {.mode = Mode::Doctor, .function = doctor_mode},
    {.mode = Mode::Merge, .function = merge_mode},
    {.mode = Mode::MakeBundle, .function = make_bundle_mode},
    {.mode = Mode::RunBundle, .function = arguments_of_bundle},
    {.mode = Mode::Postmortem, .function = postmortem_mode},
    {.mode = Mode::TraceErrno, .function = trace_errno_mode, .rights = Rights::UnlessCompiling, .compiles = true, .catches_signals = true},
    {.mode = Mode::CheckKernel, .function = check_kernel_mode},
    {.mode = Mode::Service, .function = service_mode, .rights = Rights::UnlessCompiling},
    {.mode = Mode::SaveAnonymous, .function = save_anonymous_mode, .rights = Rights::UnlessCompiling, .compiles = true},
    {.mode = Mode::Claim, .function = claim_mode, .rights = Rights::UnlessCompiling},
    {.mode = Mode::Anonymous, .function = anonymous::begin},
    {.mode = Mode::Initramfs, .function = initramfs_mode, .rights = Rights::UnlessCompiling},
    {.mode = Mode::Status, .function = client_mode},
    {.mode = Mode::Attach, .function = client_mode},
    {.mode = Mode::Detach, .function = client_mode},
    {.mode = Mode::Reload, .function = client_mode},
    {.mode = Mode::Show, .function = client_mode},
    {.mode = Mode::Follow, .function = client_mode},
    {.mode = Mode::Cost, .function = client_mode},
    // clang-format on
};
constexpr ModeEntry kHosts{.mode = Mode::Run, .function = hosts_mode};
constexpr ModeEntry kRemoval{
    .mode = Mode::SaveAnonymous, .function = remove_anonymous_mode, .rights = Rights::UnlessCompiling};

const ModeEntry& entry_of(Mode mode)
{
    return *std::find_if(std::begin(kModes), std::end(kModes), [mode](const auto& each) { return each.mode == mode; });
}

/// Returns the mode's entry in the table. If other options select a variant of the mode, returns the entry of the
/// variant.
const ModeEntry& entry_of(const Arguments& arguments, const Options& options)
{
    const bool has_program = !arguments.programs.empty() || !arguments.operands.empty() || !arguments.processes.empty();
    if (!arguments.hosts.empty())
        return kHosts;
    if (arguments.mode == Mode::SaveAnonymous && !has_program && !arguments.compile_only)
        return kRemoval;
    const bool claims = arguments.mode == Mode::Run && !has_program && options.run().grabanon;
    return entry_of(claims ? Mode::Claim : arguments.mode);
}

/// Returns whether a process of -p contains the engine library, which runs clauses without the kernel. If the program
/// uses kernel probes, it is rejected later, at loading.
bool is_about_applications(const Arguments& arguments)
{
    const auto listens = [](const ProcessRequest& process) {
        auto application = process.is_command ? Error{} : EngineClient::connect(std::atoll(process.text.c_str()));
        return application && application->sites();
    };
    return std::any_of(arguments.processes.begin(), arguments.processes.end(), listens);
}

/// Returns whether the user is root or has the capabilities for tracing; otherwise prints the missing ones.
bool may_trace(const Arguments& arguments)
{
    const std::vector<std::string_view> missing = geteuid() == 0 ? std::vector<std::string_view>() : missing_to_trace();
    if (missing.empty() || is_about_applications(arguments))
        return true;
    constexpr std::size_t kAll = 2;
    print_message(arguments, missing.size() == kAll ? "run as root for tracing and listing probes\n\tor with " +
                                                          listed(missing) + "; --doctor shows what works without them"
                                                    : "tracing also needs " + listed(missing));
    return false;
}

/// Returns the function that runs the mode. If other options select a variant of the mode, returns the function of the
/// variant.
InSession function_of(const ModeEntry& entry, const Arguments& arguments, const RunOptions& options)
{
    return !entry.compiles          ? std::get<InSession>(entry.function)
           : arguments.compile_only ? compile_only_mode
           : !options.save.empty()  ? save_mode
           : options.estimate       ? estimate_mode
                                    : std::get<InSession>(entry.function);
}

/// Runs a mode in a tracing session, which ends when this function returns.
int trace_in_session(const ModeEntry& entry, const Arguments& arguments, Options options, Output& output,
                     Timing& timing)
{
    // Catches signals before the kernel is inspected, so that they end the run in the same way at any time.
    const bool traces = entry.catches_signals && !arguments.compile_only && options.run().save.empty();
    std::optional<Signals> signals;
    SignalRequests wishes;
    wishes.so_far = !options.run().estimate;
    wishes.reopening = wishes.so_far && arguments.output;
    if (traces)
        signals.emplace(Signals::Then::EndProcess, wishes);
    if (signals && signals->error() != 0) {
        print_message(arguments, std::string("could not enable tracing: cannot watch for signals: ") +
                                     std::strerror(signals->error()));
        return kFailure;
    }

    // The processes of -c and -p stay stopped until tracing is active.
    Session session(std::move(options));
    if (const Result<void> opened = open_processes(arguments, session); !opened) {
        print_message(arguments, opened.error().message);
        return kFailure;
    }

    done(timing.steps(), "processes");
    if (const Result<void> prepared = session.prepare(); !prepared) {
        print_message(arguments, prepared.error().message);
        return kFailure;
    }
    done(timing.steps(), "kernel");

    Options options_of_run = session.options();
    if (entry.reports_unmatched)
        options_of_run.put("zdefs");
    if (entry.makes_usdt)
        options_of_run.compile_for_build();
    Trace trace(session, std::move(options_of_run));
    Command command{arguments, session, trace, output, &timing, signals ? &*signals : nullptr};
    time_run(command);
    const int status = function_of(entry, arguments, trace.options().run())(command);
    if (trace.options().run().core && !entry.reports_unmatched)
        abort();
    return status;
}

/// Returns whether the path is a socket. If so, it is opened as a socket with any output format, because a pragma may
/// select the format for sockets later.
bool leads_to_socket(const std::string& path)
{
    struct stat status {};
    return stat(path.c_str(), &status) == 0 && S_ISSOCK(status.st_mode);
}

/// Opens the output of -o. An error message names it, so the caller can print the message unchanged.
Result<void> open_output(const Arguments& arguments, const Options& options, bool may_trace, Output& output)
{
    const std::string& path = *arguments.output;
    using output::OutputTarget;
    const bool traces = arguments.mode == Mode::Run && may_trace;
    const OutputTarget destination = !traces                 ? OutputTarget::File
                                     : leads_to_socket(path) ? OutputTarget::Socket
                                                             : output::target_of(options.print().format);
    return output::open_target(output, path, destination, options.run().user);
}

/// Returns whether the options are allowed outside of a service. If not, prints the option that only a service
/// supports.
bool serves_alone(const Arguments& arguments, const Options& options)
{
    if (!options.run().metrics.empty())
        print_message(arguments, "option metrics needs --service\n\tto write the metrics of one trace to a file, use "
                                 "-x format=openmetrics -o FILE; to send them to a collector, -x otlp=URL");
    else if (!options.run().memorymax.empty())
        print_message(arguments,
                      "option memorymax needs --service\n\tto limit the memory of one trace, use -x maxmem=SIZE");
    return options.run().metrics.empty() && options.run().memorymax.empty();
}

/// Sets the options from defaults, environment and command line, in this order. Pragmas are applied later, while
/// compiling. A bundle contains the options of the environment in which it was made, so the present environment is
/// ignored.
Result<Options> options_of(const Arguments& arguments)
{
    Options options;
    if (!arguments.bundle)
        if (const Result<void> set = set_options_from_environment(options, environ); !set)
            return set.error();
    if (const Result<void> applied = apply_settings(arguments.settings, options); !applied)
        return applied.error();
    return options;
}

int trace(const Arguments& arguments, PhaseTimes::Time since)
{
    Result<Options> read = options_of(arguments);
    if (!read) {
        print_message(arguments, read.error().message);
        return kFailure;
    }
    Options& options = read.value();
    const ModeEntry& entry = entry_of(arguments, options);
    const bool compiles_only = arguments.compile_only || options.run().estimate || !options.run().save.empty();
    const bool needs_rights =
        entry.rights == Rights::Always || (entry.rights == Rights::UnlessCompiling && !compiles_only);
    if (needs_rights && !may_trace(arguments))
        return kUsage;

    if (arguments.mode == Mode::Run && !serves_alone(arguments, options))
        return kFailure;

    Output output;
    if (arguments.output && !entry.makes_usdt)
        if (const Result<void> opened = open_output(arguments, options, needs_rights, output); !opened) {
            print_message(arguments, opened.error().message);
            return kFailure;
        }

    if (options.run().preallocate != 0)
        ::operator delete(::operator new(options.run().preallocate));
    Timing timing(since);
    timing.begin(options.run());
    done(timing.steps(), "options");
    if (const auto* with_options = std::get_if<WithOptions>(&entry.function))
        return (*with_options)(arguments, options, output);

    int status = trace_in_session(entry, arguments, options, output, timing);
    if (status == kBundleRefused) {
        Arguments with_text = arguments;
        with_text.bundle.reset();
        status = trace_in_session(entry, with_text, std::move(options), output, timing);
    }
    timing.print_end();
    return status;
}

/// Opens /dev/null for standard descriptors that are closed. Otherwise a file or a map could get such a descriptor
/// number, and messages would be written to it. Writing to a standard output that was closed still fails, because its
/// replacement is read-only.
void reserve_standard_descriptors()
{
    for (int descriptor = 0; descriptor <= STDERR_FILENO; ++descriptor)
        if (fcntl(descriptor, F_GETFD) < 0 &&
            open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR) != descriptor)
            return; // gives up: without /dev every later open() would fail too
}

int run(std::span<const char* const> argv)
{
    const PhaseTimes::Time since = std::chrono::steady_clock::now();
    reserve_standard_descriptors();
    const std::vector<std::string> words = split_script_line(argv);
    std::vector<const char*> given;
    for (const std::string& word : words)
        given.push_back(word.c_str());
    const auto parsed = parse_arguments(given);
    if (const auto* error = std::get_if<UsageError>(&parsed))
        return print_usage(argv.empty() ? nullptr : argv[0], *error);
    const auto& arguments = std::get<Arguments>(parsed);

    leave_quietly_without_reader();
    survive_file_size_limit();
    const ModeEntry& entry = entry_of(arguments.mode);
    if (const auto* without_options = std::get_if<WithoutOptions>(&entry.function))
        return (*without_options)(arguments);
    if (const auto* stored = std::get_if<Stored>(&entry.function)) {
        const auto read = (*stored)(arguments);
        const auto* program = std::get_if<Arguments>(&read);
        return program ? trace(*program, since) : std::get<int>(read);
    }
    return trace(arguments, since);
}

} // namespace
} // namespace dt::cmd

int main(int argc, char** argv)
{
    try {
        return dt::cmd::run({argv, static_cast<std::size_t>(argc)});
    } catch (const std::bad_alloc&) { // all destructors have run, so every probe is detached
        std::fputs(dt::cmd::kNoMemory, stderr);
        return dt::cmd::kFailure;
    }
}
