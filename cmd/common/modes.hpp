// The modes of the command: each is a function in a file of its own, and returns the exit status. Also the steps that
// several modes share.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cmd/common/arguments.hpp"
#include "cmd/common/report.hpp"
#include "libdtrace/estimate/policy.hpp"
#include "libdtrace/loop/event_loop.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/trace/trace.hpp"

namespace dt::cmd {

/// Objects that every mode with a program uses.
struct Command {
    const Arguments& arguments;
    Session& session;
    Trace& trace;
    Output& output;
    Timing* timing = nullptr;   ///< times the phases of the run; null if the run is not timed
    Signals* signals = nullptr; ///< signal handlers, which are already installed when the mode begins
};

int run_mode(Command& command);
int compile_only_mode(Command& command);
int estimate_mode(Command& command);
/// Runs option --trace-errno. Returns the exit status.
int trace_errno_mode(Command& command);
/// Runs option --check-kernel. Returns the exit status.
int check_kernel_mode(const Arguments& arguments, const Options& options, Output& output);
int save_mode(Command& command);
/// Runs option --bundle. Returns the exit status.
int make_bundle_mode(Command& command);
int list_mode(Command& command);
int header_mode(Command& command);
int link_mode(Command& command);
/// Returns names and values that describe this build: version and commit, build type, machine, libraries.
std::vector<std::pair<std::string, std::string>> build_facts();
int version_mode(const Arguments& arguments);
int tools_mode(const Arguments& arguments);
int shell_mode(const Arguments& arguments, const Options& options, Output& output);
/// Runs option --lsp. Returns the exit status.
int lsp_mode(const Arguments& arguments, const Options& options, Output& output);
int agent_mode(const Arguments& arguments);
int merge_mode(const Arguments& arguments, const Options& options, Output& output);
int postmortem_mode(const Arguments& arguments, const Options& options, Output& output);
/// Runs option --hosts. Returns the exit status.
int hosts_mode(const Arguments& arguments, const Options& options, Output& output);
int service_mode(const Arguments& arguments, const Options& options, Output& output);
int save_anonymous_mode(Command& command);
/// Runs option -A without a program, which removes the saved program. Returns the exit status.
int remove_anonymous_mode(const Arguments& arguments, const Options& options, Output& output);
int claim_mode(const Arguments& arguments, const Options& options, Output& output);
int initramfs_mode(const Arguments& arguments, const Options& options, Output& output);
/// Modes that send a request to a service (cmd/common/arguments.hpp).
int client_mode(const Arguments& arguments, const Options& options, Output& output);
int doctor_mode(const Arguments& arguments, const Options& options, Output& output);

/// Reports that the command line has no program, and suggests the option that is probably missing before an operand.
/// Returns the exit status.
int no_program(const Command& command);

/// Combines the command line that is stored in the bundle of --run-bundle with the present command line. If an error
/// was printed, returns an exit status instead.
std::variant<int, Arguments> arguments_of_bundle(const Arguments& given);
/// Loads a compiled program from the bundle into the trace. A bundle may contain several variants, each for one kind of
/// machine. If none fits this machine, reports that and returns false; the caller must then compile the program.
bool take_from_bundle(Command& command);
void report_recompiled(const Command& command, const std::string& why);
/// Returned by run_mode() if the kernel rejects the compiled program of a bundle, so that it must be recompiled.
inline constexpr int kBundleRefused = -1;
inline constexpr std::string_view kRecompiled = " is recompiled for this machine: ";

/// Returns the limits for the trace: those of --policy or, if another host requested the trace (--hosts), those of this
/// host. Returns nothing if there are no limits. An error message can be printed unchanged.
Result<std::optional<Policy>> read_run_policy(const Command& command);
/// Checks whether the trace exceeds the limits, and reports that. Call it after finish_programs(); a program from a
/// bundle is checked after take_from_bundle() if no estimate is needed.
bool is_refused(Command& command, const Policy& policy);
inline constexpr std::string_view kRefused = "refused: "; ///< start of the error message for a violated limit

/// Returns the command line as a bundle stores it: scripts are read and preprocessed. Returns nothing if an error was
/// printed.
std::optional<Bundle::Typed> typed_program(const Arguments& arguments, const Options& options);
/// Returns the compiled program for a bundle, for machines similar to this one. Call it after finish_programs(). The
/// error is the reason why other machines cannot use the program.
Result<Bundle::Variant> compiled_for_others(Command& command);
/// Writes a file atomically. Returns 0 or an errno.
int write_whole_file(const std::string& path, std::span<const uint8_t> bytes);
/// Returns the version of this dtrace.
std::string build_name();

/// Reads, preprocesses, parses and checks all programs of the command line in order. Returns false if an error was
/// printed; the exit status is then 1.
bool add_programs(Command& command);
/// Generates the BPF object, and prints errors and the listing of -S. Returns false on error.
bool finish_programs(Command& command);

/// Prints the errors of the program that was added last.
void print_diagnostics(Command& command);

/// Returns the values of macro variables; `script` is the value of $0.
Macros macros_for(const Command& command, const std::string& script);

struct Script {
    std::string path; ///< path of the script or tool
    std::string text;
};

/// Reads a script, or the ready-made tool with that name. Preprocesses it if an option says so. Returns nothing if an
/// error was printed.
std::optional<Script> read_program(const Arguments& arguments, const Options& options, std::string path);

/// Starts timing the phases of the run, if an option asks for it.
void time_run(Command& command);

/// Starts or attaches to the processes of -c and -p.
Result<void> open_processes(const Arguments& arguments, Session& session);

/// Loads, attaches and starts the trace after finish_programs(), and prints the messages about the start. Returns false
/// on failure; the exit status is then 1.
bool start_trace(Command& command, EventLoop& host, EventLoop::Ended ended);

/// Prints the report of -x passtiming about the optimizer to standard error. Call it after compiling.
void print_passes(const Command& command);
/// Prints the listing of -S to standard error. Call it after compiling.
void print_listing(const Command& command);
/// If -S requests the final code, prints its listing. Call it after loading.
void print_final_listing(const Command& command);

/// Returns "description 'SPEC'" or "script 'FILE'"; `quote` encloses SPEC or FILE and may be empty.
std::string describe_program(const ProgramText& program, std::string_view quote);

/// Returns the last component of a script's path, with `suffix` instead of ".d". The result names a file in the working
/// directory, such as an object file made from the script.
std::string replaced_suffix(const std::string& script, std::string_view suffix);

/// Flushes the output stream. On failure, prints an error and returns false; the exit status is then 1.
bool flush_output(Command& command);

} // namespace dt::cmd
