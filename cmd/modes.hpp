// What the command does after its arguments are understood: one function per mode, each in its own file, each returning
// the exit status.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cmd/arguments.hpp"
#include "cmd/timing.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/host/host.hpp"
#include "libdtrace/host/policy.hpp"
#include "libdtrace/trace/trace.hpp"

namespace dt::cmd {

/// What the modes that compile programs share.
struct Command {
    const Arguments& arguments;
    Session& session;
    Trace& trace;
    Output& output;
    Timing* timing = nullptr;   ///< null: nobody asks
    Signals* signals = nullptr; ///< that are noted already
};

int run_mode(Command& command);
int compile_only_mode(Command& command);
int estimate_mode(Command& command);
/// --why
int why_mode(Command& command);
/// --will-it-run
int will_it_run_mode(const Arguments& arguments, const Options& options, Output& output);
int save_mode(Command& command);
/// --bundle
int make_bundle_mode(Command& command);
int list_mode(Command& command);
int header_mode(Command& command);
int link_mode(Command& command);
/// What this program is made of and runs on, by name: version and commit, build, machine, libraries.
std::vector<std::pair<std::string, std::string>> build_facts();
int version_mode(const Arguments& arguments);
int tools_mode(const Arguments& arguments);
int shell_mode(const Arguments& arguments, Options options, Output& output);
/// --lsp
int lsp_mode(const Arguments& arguments, Options options, Output& output);
int agent_mode(const Arguments& arguments);
int merge_mode(const Arguments& arguments, const Options& options, Output& output);
int postmortem_mode(const Arguments& arguments, const Options& options, Output& output);
/// --on
int hosts_mode(const Arguments& arguments, const Options& options, Output& output);
int service_mode(const Arguments& arguments, const Options& options);
int save_anonymous_mode(Command& command);
/// -A without a program.
int remove_anonymous_mode(const Arguments& arguments);
int claim_mode(const Arguments& arguments, Output& output);
int initramfs_mode(const Arguments& arguments);
/// One that a service is asked (cmd/arguments.hpp).
int client_mode(const Arguments& arguments, const Options& options);
int doctor_mode(const Arguments& arguments, const Options& options, Output& output);

/// The command line has no program: says so, and what operands without one may have been meant to be. Returns the exit
/// status.
int no_program(const Command& command);

/// --run: the command line that its file was made of, with what this one adds. Or the exit status; an error was
/// printed.
std::variant<int, Arguments> arguments_of_bundle(const Arguments& given);
/// Of a bundle: has the trace take what was compiled for machines like this one. False: it has nothing for this one,
/// which was told, and the program is to be compiled.
bool take_from_bundle(Command& command);
void tell_compiled_anew(const Command& command, const std::string& why);
/// What run_mode() returns in place of a status when the kernel refuses what was taken from a bundle.
inline constexpr int kBundleRefused = -1;
inline constexpr std::string_view kCompiledAnew = " is compiled anew for this machine: ";

/// What the run is to keep to: --policy, or the host's own where many are asked. Nothing: it may do anything. The error
/// is complete.
Result<std::optional<Policy>> policy_of_run(const Command& command);
/// After finish_programs(), or take_from_bundle() where it wants no estimate: whether it is refused, which was told.
bool is_refused(Command& command, const Policy& policy);
inline constexpr std::string_view kRefused = "refused: "; ///< what that begins with

/// What was typed, as it goes into a file: scripts are read and preprocessed. Nothing: an error was printed.
std::optional<Bundle::Typed> typed_program(const Arguments& arguments, const Options& options);
/// After finish_programs(): what was compiled, for other machines like this one; the error says why it is of no use to
/// them.
Result<Bundle::Variant> compiled_for_others(Command& command);
/// 0 or an errno. A reader finds the whole file or none.
int write_whole_file(const std::string& path, std::span<const uint8_t> bytes);
/// Which dtrace this is.
std::string build_name();

/// Reads, preprocesses, parses and checks every program, in order; errors are printed. False: the status is 1.
bool add_programs(Command& command);
/// Makes the object; errors are printed. Prints the listing of -S.
bool finish_programs(Command& command);

/// Prints the errors of the program that was added last.
void print_diagnostics(Command& command);

/// What the macro variables of a program are; `script`: $0.
Macros macros_for(const Command& command, const std::string& script);

struct Script {
    std::string path; ///< of a tool, where it was found
    std::string text;
};

/// A script, or else the tool of that name; preprocessed where the options ask for it. An error is printed.
std::optional<Script> read_program(const Arguments& arguments, const Options& options, std::string path);

/// The run tells its steps from now on, if the options say so.
void time_run(Command& command);

/// Starts or takes up the processes of -c and -p.
Result<void> open_processes(const Arguments& arguments, Session& session);

/// After finish_programs(): loads, attaches and starts, with all that has to be told of it. False: the status is 1.
bool start_trace(Command& command, Host& host, Host::Ended ended);

/// After the object was made, with option passes: what the optimizer did, on standard error.
void print_passes(const Command& command);
/// After the object was made: the listing of -S, on standard error.
void print_listing(const Command& command);
/// After the programs were loaded: that of the final code, when asked for.
void print_final_listing(const Command& command);

/// "description 'SPEC'" or "script 'FILE'"; `quote` may be empty.
std::string describe_program(const ProgramText& program, std::string_view quote);

/// The last component of a script's path with another suffix in place of ".d": what is made of it lands in the working
/// directory.
std::string replaced_suffix(const std::string& script, std::string_view suffix);

/// Writes out the output stream; a failure is printed. False: the status is 1.
bool flush_output(Command& command);

} // namespace dt::cmd
