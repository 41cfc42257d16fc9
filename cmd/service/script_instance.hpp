// One script of a service: its session, trace, output and state.
//
//     ScriptInstance instance(context, script);
//     if (instance.prepare(nullptr)) // compiled, and in the kernel
//         instance.begin({});        // attached; the event loop runs it from now on
//     instance.stop();               // END has run, all is printed
//
// A failure only sets this script's state and last error; other scripts are not affected.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "cmd/common/arguments.hpp"
#include "libdtrace/loop/event_loop.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/session/session.hpp"
#include "libdtrace/trace/trace.hpp"

namespace dt::service {

// The scripts of a service: the files in a directory that end in .d, each an independent script.
//
// The rules are the same as for other configuration directories: files are sorted by name, hidden files and other
// endings are ignored, and a link to /dev/null disables a script. Scripts run as root, so a file that other users can
// write is refused.

/// A script that the service runs or will run.
struct Script {
    std::string name; ///< name of the script in requests: its file name without .d
    std::string path; ///< path of the script's file; empty if the text was sent in a request
    std::string text;
    bool is_of_directory = false;
};

/// Returns the paths and names of the scripts in a directory, sorted by name. Does not read the files. The error
/// message contains only the reason.
Result<std::vector<Script>> find_scripts(const std::string& directory);

/// Returns "opensnoop" for "/etc/dtrace/scripts.d/opensnoop.d", and the last component of a path without .d.
std::string name_of_script(const std::string& path);

/// Returns whether the name is valid: at most 128 letters, digits and "._-+@", without a leading ".".
bool is_name(const std::string& name);

/// Returns the text of a file that only root or this user can write. The error message is complete except for the
/// prefix with the program's name.
Result<std::string> read_script(const std::string& path);

/// Returns whether the script's text contains the name of a pin (of a trace that outlives its tracer) as a whole word.
bool has_name(std::string_view text, std::string_view pin);

enum class State : uint8_t { Starting, Tracing, Failed, Ended, Detached };

/// Returns the state's name, for example "tracing".
std::string_view name_of_state(State state);

class CompilerProcess; // this type is defined in compiler_process.hpp

/// Returns the initial options of each script, if the service was started with the options `given`.
Options options_of_scripts(const Options& given);

/// Context of all scripts of a service, which outlives them.
struct ServiceContext {
    const cmd::Arguments& arguments; ///< the service's command line, without operands
    const Options& options;
    Session& base_session; ///< session with the kernel data, which the sessions of all scripts share
    EventLoop& host;
    CompilerProcess& compiler;
    /// callback during long operations, to show the service manager that the service is alive
    std::function<void()> lives;
    std::function<void()> grows;   ///< callback before a script allocates memory
    std::function<void()> changed; ///< callback after a script has ended by itself
};

/// State and statistics of a script.
struct Health {
    std::string name, path;
    State state = State::Starting;
    int64_t since = 0; ///< time when the script entered its state, in seconds since the epoch
    std::string error; ///< last error message of the script; empty: there was none
    int exit_status = 0;
    std::string output; ///< path of the script's output; empty: the output of the service
    std::string pin;    ///< name of the script's pin; empty: none
    Labels labels;
    // Statistics of an active trace.
    uint64_t probes = 0, fired = 0;
    double firings_a_second = 0, cost = 0; ///< `cost` is CPU time divided by elapsed time
    uint64_t memory = 0, memory_bound = 0; ///< kernel memory of the trace in bytes, and the limit of this memory
    /// causes of losses, with the number of lost firings; only causes that occurred
    std::vector<output::DropRow> losses;
    /// with -x hits: numbers of firings, summed over all probes; they stay available after the trace has ended
    std::optional<output::HitCounts> firings;
};

class ScriptInstance {
public:
    ScriptInstance(const ServiceContext& context, Script script);
    ~ScriptInstance();
    ScriptInstance(const ScriptInstance&) = delete;
    ScriptInstance& operator=(const ScriptInstance&) = delete;

    /// Compiles and loads the script. On failure, prints the reason and returns false; error() then returns the reason,
    /// too. `former` is the script that this one replaces without a gap; null: none.
    bool prepare(ScriptInstance* former);
    /// Attaches and runs a script after prepare(). `values` are globals and aggregations with which it continues, from
    /// a previous trace. Failures are reported as in prepare().
    bool begin(TraceValues values);
    /// Ends an active trace: runs END and prints the remaining output. `into` is the new state.
    void stop(State into = State::Detached);
    /// Called on the new script after begin(): ends the replaced script and takes over its globals and aggregations.
    void succeed(ScriptInstance& former);
    /// Returns globals and aggregations, with which another script may continue. Call it after stop().
    TraceValues values();
    /// Frees kernel resources and memory. Call it after stop() and values().
    void release();

    const Script& script() const { return script_; }
    const std::string& name() const { return script_.name; }
    State state() const { return state_; }
    const std::string& error() const { return error_; }
    /// Remembers a new text of the script that could not be compiled or attached, and the error message.
    void note_refused(std::string text, std::string error)
    {
        refused_ = std::move(text);
        error_ = std::move(error);
    }
    /// Returns whether `text` is the script's present text or the last text that was refused.
    bool is_of_text(const std::string& text) const { return text == script_.text || text == refused_; }
    /// Returns whether a pin with this name, found after a restart of the service, may belong to this script. If the
    /// script never compiled, checks whether its text contains the name.
    bool claims(const std::string& pin) const;
    /// Returns whether the script's trace is pinned (-x pin), so that it can outlive the tracer. No second trace can
    /// use the pin's name at the same time.
    bool is_pinned() const { return state_ == State::Tracing && !pin_.value_or("").empty(); }
    /// Returns the name of the pin, or an empty string.
    std::string pin() const { return is_pinned() ? *pin_ : ""; }
    /// Returns the trace, or null if it is not active.
    Trace* trace() { return state_ == State::Tracing ? trace_.get() : nullptr; }

    Health health();
    /// Returns how much memory the trace may allocate, in the kernel and in the service; 0 if the trace is not active.
    uint64_t memory_bound() const;

private:
    bool fail(std::string error);
    bool load(ScriptInstance* former);
    bool attach(TraceValues values);
    void enter(State state);
    void ended(Result<int> status);
    bool open_output();
    bool compile();
    void end_compiler_if_refused();
    void count_firings(const output::CostReport& costs);
    void sum_firings();
    void print_message(std::string_view text);

    const ServiceContext& context_;
    const Script script_;
    State state_ = State::Starting, state_after_ = State::Ended;
    int64_t since_ = 0;
    std::string error_;
    std::optional<std::string> refused_;
    int exit_status_ = 0;
    std::unique_ptr<Session> session_;
    std::string output_path_;
    Labels labels_;
    std::optional<std::string> pin_; ///< name of the pin (-x pin), known after compiling; empty: none
    int descriptor_ = -1;            ///< a duplicate of the service's standard output; freopen() may redirect it
    std::unique_ptr<Output> output_;
    /// the trace is declared after the output, because it must be destroyed before the output
    std::unique_ptr<Trace> trace_;
    std::chrono::steady_clock::time_point counted_{};
    uint64_t fired_ = 0;     ///< number of firings at the time of the last rate computation
    uint64_t max_fired_ = 0; ///< highest number of firings that the service has reported; later reports are never lower
    double rate_ = 0;
    std::optional<output::HitCounts> firings_;
};

} // namespace dt::service
