// The parsed command line. Its options keep their order; the parser does not execute any of them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dcompiler/driver/compiler.hpp"
#include "libdtrace/session/program_file.hpp"

namespace dt::cmd {

enum class Mode : uint8_t {
    Run,
    List,
    Link,
    Header,
    Version,
    Help,
    Tools,
    Shell,
    Lsp,
    Agent,
    Doctor,
    Merge,
    MakeBundle,
    RunBundle,
    Postmortem,
    TraceErrno,
    CheckKernel,
    Service,
    SaveAnonymous, ///< option -A: saves a program that will trace from the next boot on
    Claim,         ///< option -a: claims an anonymous trace
    Anonymous,     ///< option --anonymous: traces with the program that -A has saved
    Initramfs,
    // Requests to a running service (dtrace service VERB):
    Status,
    Attach,
    Detach,
    Reload,
    Show,
    Follow,
    Cost
};

/// An option with its value. The order of options matters, because a later option overrides an earlier one.
struct Setting {
    char letter = 0;
    std::string value;
};

/// A D program on the command line: -s FILE (Script), or the argument of -P -m -f -n -i.
struct ProgramText {
    SpecKind kind = SpecKind::Name;
    std::string text;
    std::optional<std::string> contents; ///< text of the script if it was read from a bundle
};

/// A process to trace: -c CMD or -p PID.
struct ProcessRequest {
    bool is_command = false;
    std::string text;
};

struct Arguments {
    std::string program_name = "dtrace"; ///< base name of argv[0]; prefix of all messages
    std::string argv0 = "dtrace";        ///< value of the macro $0 in programs that are typed on the command line
    Mode mode = Mode::Run;
    bool compile_only = false;
    bool verbose = false;
    bool help_all = false;
    bool help_service = false; ///< help for the verbs of `dtrace service`
    std::optional<std::string> output;
    std::string hosts; ///< host names of option --hosts; empty: the program runs only on this host
    /// file of option --policy; empty: the policy of this host, which applies to requests from other hosts
    std::string policy;
    /// option --send-source: sends the program's source text to the hosts, not its compiled form
    bool sends_text = false;
    /// command of option --rsh, which reaches the hosts; empty: the default command
    std::string remote_shell;
    std::string bundle_file;              ///< name of the file that --bundle writes, or --run-bundle reads
    std::shared_ptr<const Bundle> bundle; ///< content of the file of --run-bundle; null until the file is read
    std::string failed_call;              ///< argument of --trace-errno: a probe and a predicate
    std::vector<std::string> kernels;     ///< --check-kernel: files with kernel types; empty: the running kernel
    std::vector<Setting> settings;        ///< options with their values, in command-line order
    std::vector<ProgramText> programs;
    std::vector<ProcessRequest> processes;
    std::vector<std::string> operands; ///< values of the macro arguments $1, $2, …
    int started_descriptor = -1;       ///< descriptor that receives a byte and is closed once tracing has started
};

/// An invalid command line (exit status 2). Each of `messages` is printed after the program's name. If there are no
/// messages (dtrace was called without arguments), the usage text is printed.
struct UsageError {
    std::vector<std::string> messages;
};

/// Parses like getopt: grouped flags, attached or separate values, operands anywhere, "--" ends options, and
/// unambiguous prefixes of long options.
std::variant<Arguments, UsageError> parse_arguments(std::span<const char* const> argv);

/// Returns the words of argv. For a script that begins with "#!/usr/sbin/dtrace -qs -x bufsize=8m", the kernel passes
/// everything after the interpreter as one word. Splits this word as a shell would, and moves the script's path behind
/// the -s that needs it.
std::vector<std::string> split_script_line(std::span<const char* const> argv);

/// Returns the short help with examples, printed by --help and, on stderr, without arguments.
std::string help_text(std::string_view program_name);

/// Returns the list of verbs, that is, requests to a service (dtrace service --help).
std::string service_help_text(std::string_view program_name);

/// Returns the list of all options (--help=all).
std::string usage_text(std::string_view program_name);

} // namespace dt::cmd
