// The command line as data: what was asked for, in the order it was asked, nothing done yet.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dcompiler/compiler.hpp"
#include "libdtrace/trace/bundle.hpp"

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
    Why,
    WillItRun,
    Service,
    SaveAnonymous, ///< -A
    Claim,         ///< -a
    Anonymous,     ///< what -A saved is traced
    Initramfs,
    // of a service that runs:
    Status,
    Attach,
    Detach,
    Reload,
    Show,
    Follow,
    Explain
};

/// Does it only ask a service?
inline bool asks_service(Mode mode)
{
    return mode >= Mode::Status;
}

/// One option as typed: letter and value. Kept in order, because later ones win and some act in turn.
struct Setting {
    char letter = 0;
    std::string value;
};

/// -s FILE (Script) or the argument of -P -m -f -n -i.
struct ProgramText {
    SpecKind kind = SpecKind::Name;
    std::string text;
    std::optional<std::string> contents; ///< of a script that is in no file, but in a bundle
};

/// -c CMD or -p PID.
struct ProcessRequest {
    bool is_command = false;
    std::string text;
};

struct Arguments {
    std::string program_name = "dtrace"; ///< base name of argv[0]: every message on stderr begins with it
    std::string argv0 = "dtrace";        ///< $0 of command-line programs
    Mode mode = Mode::Run;
    bool compile_only = false;
    bool verbose = false;
    bool help_all = false;
    std::optional<std::string> output;
    std::string hosts;                    ///< of --on; empty: this one
    std::string policy;                   ///< of --policy, a file; empty: the host's, for answers of many hosts
    bool sends_text = false;              ///< --on-source
    std::string carrier;                  ///< of --on-with; empty: the usual one
    std::string bundle_file;              ///< of --bundle, which is written; of --run, which is read
    std::shared_ptr<const Bundle> bundle; ///< of --run, once it was read
    std::string why;                      ///< of --why, a probe and a predicate
    std::vector<std::string> kernels;     ///< of --will-it-run: files with their types; none: the one that runs
    std::vector<Setting> settings;        ///< options that set something, command-line order
    std::vector<ProgramText> programs;
    std::vector<ProcessRequest> processes;
    std::vector<std::string> operands; ///< $1 …
    int tells_started = -1;            ///< a descriptor: a byte is written there, and it is closed, once this traces
};

/// A command line that cannot be obeyed. Status 2; `messages` are complete lines but for the program's name. Without
/// any (nothing was asked for) the usage text is what there is to say.
struct UsageError {
    std::vector<std::string> messages;
};

/// Parses getopt-style: grouped flags, attached or separate values, operands anywhere, "--" ends options, long options
/// by unambiguous prefix.
std::variant<Arguments, UsageError> parse_arguments(std::span<const char* const> argv);

/// Returns the words of argv. Where the kernel passed all that stands behind the interpreter in the first line of a
/// script as one word ("#!/usr/sbin/dtrace -qs -x bufsize=8m"), that word is split as a shell would do it, and the
/// script follows the -s that wants it.
std::vector<std::string> split_script_line(std::span<const char* const> argv);

/// What most people need, examples first: --help, or no arguments at all (on stderr).
std::string help_text(std::string_view program_name);

/// Every option: --help=all.
std::string usage_text(std::string_view program_name);

} // namespace dt::cmd
