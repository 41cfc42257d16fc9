// The processes of -c and -p: started or taken up, held until tracing is on, watched until the last one is gone.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "libdtrace/process/hold.hpp"

namespace dt {

class Processes {
public:
    /// `proc`: where proc(5) is mounted. `follows`: children of the processes are traced with them.
    explicit Processes(std::string proc = "/proc", bool follows = false) : proc_(std::move(proc)), follows_(follows) {}
    /// Kills the commands that have not ended: those never released must not run untraced, and the others were there to be traced.
    ~Processes();
    Processes(const Processes&) = delete;
    Processes& operator=(const Processes&) = delete;

    /// Starts a command (split by command_words(), looked up in PATH, no shell) and holds it at `point`; its standard output is `output`. The error is
    /// complete: "failed to execute CMD: REASON".
    Result<void> create(std::string_view command, HoldPoint point = HoldPoint::Entry, int output = 1);

    /// Watches a running process; it is not stopped. Errors: "invalid pid: TEXT", "No such process".
    Result<void> attach(std::string_view pid_text);

    /// Lets the held commands run. Call once tracing is active.
    void release();

    /// True when there was at least one process and every one has ended.
    bool all_gone();

    bool empty() const { return list_.empty(); }
    /// $target: the first one's pid, 0 if none.
    pid_t first_pid() const { return list_.empty() ? 0 : list_.front().pid; }
    /// Those that have not ended, as of the last all_gone().
    std::vector<pid_t> pids() const;
    bool is_one(int64_t pid) const;
    /// Is it a command that does not run yet?
    bool is_held(int64_t pid) const;
    /// Is it one of these, and are its children traced with it?
    bool is_followed(int64_t pid) const { return follows_ && is_one(pid); }
    /// The processes that are followed now because one of these was, each with that one; these themselves are left out.
    void know_followers(std::map<pid_t, pid_t> followers) { followers_ = std::move(followers); }
    const std::map<pid_t, pid_t>& followers() const { return followers_; }
    /// Files that were mapped since a run began, by name, with probes that are wanted in all processes.
    void know_file(const std::string& path) { later_files_.push_back(path); }
    const std::vector<std::string>& later_files() const { return later_files_; }
    /// What came later is forgotten.
    void end_run()
    {
        followers_.clear();
        later_files_.clear();
    }
    /// Descriptors that become readable when a process ends (pidfd_open(2)), for poll.
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

    std::string proc_;
    bool follows_ = false;
    std::vector<Process> list_;
    std::map<pid_t, pid_t> followers_;
    std::vector<std::string> later_files_;
};

} // namespace dt
