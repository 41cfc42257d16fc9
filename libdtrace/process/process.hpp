// The processes of options -c and -p. Starts them or attaches to them, holds commands until tracing has started, and
// watches all of them until the last one ends.
#pragma once

#include <sys/types.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "libdtrace/process/mapping_gate.hpp"
#include "libdtrace/sandbox/untrusted_files.hpp"

// The point where the process of option -c waits until tracing has started (option evaltime).
//
// Right after exec, only the program and its loader are mapped. Library functions have no addresses yet, so probes
// cannot be attached to them, and stacks cannot contain their names. The default is therefore the program's entry
// point: the loader jumps there after it has mapped and initialised all libraries.

namespace dt {

enum class HoldPoint { Exec, Entry, Main };

/// Returns the HoldPoint for a value of option evaltime: "exec"; "preinit" and "postinit" (both mean the entry point);
/// "main".
HoldPoint hold_point(std::string_view evaltime);

/// Runs a process that ptrace stopped after exec until it reaches `point`. Sets a breakpoint there, and removes the
/// breakpoint afterwards. `proc` is the mount point of proc(5); `by` says which process reads the program's file.
/// Returns false if the process ended before `point`. If the point is not found or the processor is not supported, the
/// process stays at exec.
bool run_to(const std::string& proc, pid_t pid, HoldPoint point, ReadBy by);

class Processes {
public:
    /// `proc` is the mount point of proc(5). `follow` is the value of option followchildren: whether and which children
    /// are traced too. `by` says which process reads the files of traced processes.
    explicit Processes(std::string proc = "/proc", std::string_view follow = "none", ReadBy by = ReadBy::Tracer);
    /// Kills the commands that have not ended. Held commands must not run untraced, and the others were started only to
    /// be traced.
    ~Processes();
    Processes(const Processes&) = delete;
    Processes& operator=(const Processes&) = delete;

    /// Starts a command without a shell: command_words() splits it, and the program is looked up in PATH. Holds the
    /// command at `point`, and sets its standard output to `output`. The error message is "failed to execute CMD:
    /// REASON".
    Result<void> create(std::string_view command, HoldPoint point = HoldPoint::Entry, int output = 1);

    /// Adds a running process, and watches for its end without stopping it. Errors: "invalid pid: TEXT", "No such
    /// process".
    Result<void> attach(std::string_view pid_text);

    /// Makes the processes stop whenever they have mapped a file that may contain probes, until the file has been
    /// processed. The stops begin after release(). With option followchildren, the children of the processes stop too.
    void seize();

    /// Lets the held commands run. Must be called when tracing is active.
    void release();

    /// Returns whether any processes are stopped because they have mapped files. The function is cheap and may be
    /// called at any time.
    bool has_stopped_threads() const { return gate_ && gate_->has_stopped_threads(); }
    std::vector<MappingGate::StoppedThread> stopped_threads() const
    {
        return gate_ ? gate_->held() : std::vector<MappingGate::StoppedThread>();
    }
    void resume(const std::vector<MappingGate::StoppedThread>& stopped_threads);
    /// Lets all stopped processes run on. From now on, processes do not stop when they map files.
    void stop_gating();
    /// Returns messages about calls of traced functions that may be missed. Each message is returned only once.
    std::vector<std::string> take_problems() { return gate_ ? gate_->take_problems() : std::vector<std::string>(); }

    /// Returns true if there was at least one process of -c or -p, and all of these have ended.
    bool all_gone();

    /// Returns a command's wait(2) status; nothing if it has not ended or is not a command of this object.
    std::optional<int> status(pid_t pid);

    bool empty() const { return list_.empty(); }
    /// Returns $target: the process id of the first process, or 0 if there is no process.
    pid_t first_pid() const { return list_.empty() ? 0 : list_.front().pid; }
    /// Returns those processes of -c and -p that were still running at the last call of all_gone().
    std::vector<pid_t> pids() const;
    bool is_one(int64_t pid) const;
    /// Returns whether the process belongs to -c or -p and was still running at the last call of all_gone().
    bool is_running(int64_t pid) const;
    /// Returns whether the process is a command that waits for release().
    bool is_held(int64_t pid) const;
    /// Returns whether the process belongs to -c or -p and its children are traced too (option followchildren).
    bool is_followed(int64_t pid) const { return children_ != MappingGate::Children::Leave && is_one(pid); }
    /// Sets the followed descendants. The map contains each descendant with its ancestor among the processes of -c and
    /// -p. It does not contain the processes of -c and -p themselves.
    void set_followers(std::map<pid_t, pid_t> followers) { followers_ = std::move(followers); }
    const std::map<pid_t, pid_t>& followers() const { return followers_; }
    /// Adds a file that a process mapped after the run began. Must be called only for files that match probe
    /// descriptions for all processes.
    void add_later_file(const std::string& path);
    const std::vector<std::string>& later_files() const { return known_later_files_; }
    /// Ends a run: processes no longer stop when they map files, and the followed descendants and the files of
    /// add_later_file() are removed.
    void end_run()
    {
        stop_gating();
        followers_.clear();
        known_later_files_.clear();
    }
    /// Returns descriptors for poll(2) that become readable when a process ends (pidfd_open(2)) or stops.
    std::vector<int> descriptors() const;

private:
    struct Process {
        pid_t pid = 0;
        int pidfd = -1;
        bool is_child = false;
        bool held = false;
        bool gone = false;
    };

    Result<void> watch(Process process);
    MappingGate& gate();
    Result<void> start(std::string_view command, std::vector<char*>& arguments, HoldPoint point, int output);

    std::string proc_;
    ReadBy by_;
    MappingGate::Children children_ = MappingGate::Children::Leave;
    /// The mapping gate with its thread. Null while there are no commands and no traced processes.
    std::unique_ptr<MappingGate> gate_;
    std::vector<Process> list_;
    std::map<pid_t, pid_t> followers_;
    std::vector<std::string> known_later_files_;
};

// Splits a command line into words. Supports the quotes and backslashes of a shell, but no other shell syntax.

struct CommandWords {
    std::vector<std::string> words;
    /// The first word or character outside of quotes that only a shell interprets (| > && * $ …). Empty if the command
    /// line contains none.
    std::string shell_only;
};

/// Splits at white space. Between single quotes all characters are literal. Between double quotes a backslash escapes $
/// ` " and \; outside of quotes it escapes any character. Fails if a quote is not closed.
Result<CommandWords> command_words(std::string_view text);

} // namespace dt
