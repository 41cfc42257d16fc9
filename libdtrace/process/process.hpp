// The processes of -c and -p: started or taken up, held until tracing is on, watched until the last one is gone.
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
#include "libdtrace/process/hold.hpp"
#include "libdtrace/process/keeper.hpp"

namespace dt {

class Processes {
public:
    /// `proc`: where proc(5) is mounted. `follow`: the option's value, whether children of the processes are traced
    /// with them. `by`: who reads their files.
    explicit Processes(std::string proc = "/proc", std::string_view follow = "none", ReadBy by = ReadBy::Tracer);
    /// Kills the commands that have not ended: those never released must not run untraced, and the others were there to
    /// be traced.
    ~Processes();
    Processes(const Processes&) = delete;
    Processes& operator=(const Processes&) = delete;

    /// Starts a command (split by command_words(), looked up in PATH, no shell) and holds it at `point`; its standard
    /// output is `output`. The error is complete: "failed to execute CMD: REASON".
    Result<void> create(std::string_view command, HoldPoint point = HoldPoint::Entry, int output = 1);

    /// Watches a running process; it is not stopped. Errors: "invalid pid: TEXT", "No such process".
    Result<void> attach(std::string_view pid_text);

    /// Before release(): from then on the processes stop, too, when they have mapped a file that descriptions may mean,
    /// until it was looked at; with follow, what they fork as well.
    void keep();

    /// Lets the held commands run. Call once tracing is active.
    void release();

    /// Kept ones that stand still now, and who lets them go. To be asked at any time, for nothing.
    bool is_anybody_standing() const { return keeper_ && keeper_->is_anybody_held(); }
    std::vector<Keeper::Held> standing() const { return keeper_ ? keeper_->held() : std::vector<Keeper::Held>(); }
    void let_go(const std::vector<Keeper::Held>& standing);
    /// Nobody stands still any more.
    void stop_holding();
    /// What may be missed of kept ones since the last call, and why.
    std::vector<std::string> take_problems() { return keeper_ ? keeper_->take_problems() : std::vector<std::string>(); }

    /// True when there was at least one process and every one has ended.
    bool all_gone();

    /// How a command has ended, as wait(2) has it; nothing: it has not, or it is no command of ours.
    std::optional<int> status(pid_t pid);

    bool empty() const { return list_.empty(); }
    /// $target: the first one's pid, 0 if none.
    pid_t first_pid() const { return list_.empty() ? 0 : list_.front().pid; }
    /// Those that have not ended, as of the last all_gone().
    std::vector<pid_t> pids() const;
    bool is_one(int64_t pid) const;
    /// Is it a command that does not run yet?
    bool is_held(int64_t pid) const;
    /// Is it one of these, and are its children traced with it?
    bool is_followed(int64_t pid) const { return children_ != Keeper::Children::Leave && is_one(pid); }
    /// The processes that are followed now because one of these was, each with that one; these themselves are left out.
    void know_followers(std::map<pid_t, pid_t> followers) { followers_ = std::move(followers); }
    const std::map<pid_t, pid_t>& followers() const { return followers_; }
    /// Files that were mapped since a run began, by name, with probes that are wanted in all processes.
    void know_file(const std::string& path);
    const std::vector<std::string>& later_files() const { return later_files_; }
    /// What came later is forgotten.
    void end_run()
    {
        stop_holding();
        followers_.clear();
        later_files_.clear();
    }
    /// Descriptors that become readable when a process ends (pidfd_open(2)) or stands still, for poll.
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
    Keeper& keeper();
    Result<void> start(std::string_view command, std::vector<char*>& arguments, HoldPoint point, int output);

    std::string proc_;
    ReadBy by_;
    Keeper::Children children_ = Keeper::Children::Leave;
    std::unique_ptr<Keeper> keeper_; ///< null: there are neither commands nor kept ones
    std::vector<Process> list_;
    std::map<pid_t, pid_t> followers_;
    std::vector<std::string> later_files_;
};

} // namespace dt
