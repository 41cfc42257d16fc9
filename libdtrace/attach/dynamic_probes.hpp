// Dynamic probes: probes in libraries and programs that processes load while they are traced.
//
// Descriptions are looked up when a trace begins, and again when a traced process maps another file. For new probe
// locations, the same texts are compiled into another object, for these locations only. The new object uses the maps of
// the first object, so state, variables, aggregations and buffers are shared. The numbers in its names continue those
// of the first object. Meanwhile, processes that descriptions name are stopped (process/mapping_gate.hpp). Other
// processes continue, so their calls between mapping and attaching are missed.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/recent_set.hpp"
#include "dcompiler/driver/compiler.hpp"
#include "libdtrace/attach/abandoned_calls.hpp"
#include "libdtrace/attach/attach.hpp"
#include "libdtrace/attach/process_coverage.hpp"
#include "libdtrace/load/loader.hpp"
#include "libdtrace/losses/kernel_losses.hpp"
#include "libdtrace/mappings/mapping_events.hpp"
#include "libdtrace/session/dynamic_world.hpp"

namespace dt {

/// The source texts of a D program, stored so that it can be compiled again for new probes.
struct ProgramTexts {
    struct Text {
        const Source* source;
        SpecKind kind;
        Macros macros;
    };
    Options options; ///< values of the options at the start of the trace
    std::vector<Text> programs;
    const std::deque<Source>* libraries = nullptr;
};

class DynamicProbes {
public:
    /// Returns whether descriptions of the program can match probes that do not exist yet.
    static bool may_follow(const Program& program, const Processes& processes);

    /// Returns whether descriptions name the processes of -c and -p, so that these processes must wait until their
    /// probes are attached.
    static bool names_processes(const Program& program, const Processes& processes);

    /// Data about the running trace; all references must outlive this object. `first` is the running object; the
    /// schemas of objects that are added later are merged into its schema.
    struct TraceContext {
        LiveWorld& world;
        Processes& processes;
        const FollowedProcesses& followed;
        const ProgramTexts& texts;
        const Program& program;
        Object& first;
        const LoadedObject& loaded;
        KernelLosses& losses;
        AbandonedCalls& abandoned_calls;
        /// mutex that is locked while attaching, because another thread may detach everything at any time
        std::mutex& switching_off;
        std::function<void(pid_t)> detach; ///< callback that detaches the hooks that fire only in the given process
        /// callback that makes the hooks of a process fire even after its first thread has ended; returns 0 or an errno
        std::function<int(pid_t)> outlive_leader;
    };
    explicit DynamicProbes(TraceContext running);
    ~DynamicProbes();

    /// Returns whether a process has mapped a file since the last update(). The function is cheap.
    bool has_news();

    struct Update {
        LoadedObject* added = nullptr;
        const Schema* schema = nullptr;    ///< schema of the new object, which `added` points to
        Attachments attachments;           ///< attachments of the new probes, which the caller now owns
        std::vector<std::string> problems; ///< probes that could not be attached, with the reason
    };
    /// Looks for new probes and attaches them.
    Update update(const probes::AttachOptions& how);
    /// Returns the plans that describe stack unwinding in processes, as of the last lookup of descriptions by update().
    const std::vector<std::shared_ptr<const AttachPlan>>& unwinding() const { return probes_.unwinding(); }

    /// Returns notes for the end of the trace: for each description that matches future processes, in how many
    /// processes its probes were attached. `all` includes descriptions without later processes.
    std::vector<output::Note> coverage(bool all)
    {
        return coverage_ ? coverage_->report(all) : std::vector<output::Note>();
    }

private:
    struct Part;
    /// State of a process's first thread (its leader).
    enum class Leader : uint8_t {
        Suspected, ///< the first thread may have ended, but no event has reported it
        Ending,    ///< the end of the first thread was reported, but the thread may still own the process's memory
        Outlived,  ///< the first thread has ended, but the process's hooks still fire
        Replaced,  ///< the first thread has ended, and hooks for all processes replace the hooks of the process
    };

    bool is_ours(pid_t pid) const;
    bool is_meant(const MappingEvent& event, const std::string& path) const;
    bool is_new_to_all(const MappingEvent& event);
    void follow_leader(const MappingEvent& event);
    void leave_leaders();
    Leader leave_leader(pid_t pid);
    bool is_limited(pid_t pid, bool by_memory) const;
    void hook_again(pid_t pid);
    /// Compiles, loads and attaches new probes. If it fails and sets `refused`, nothing was added, and another kind of
    /// program may succeed.
    Result<void> add(const probes::AttachOptions& how, Update& update, std::optional<ProgramKind>& refused);
    Result<std::unique_ptr<Part>> compile();
    bool fits(const Part& part) const;
    void join(const Part& part);

    TraceContext context_;
    HookedLocations hooked_;
    DynamicProbeSource probes_;
    DynamicWorld world_;
    MappingEvents events_;
    std::set<pid_t> changed_;
    std::map<pid_t, Leader> leaders_;   ///< processes whose first thread has ended or may have ended
    std::vector<std::string> problems_; ///< messages about problems, which the next update() will report
    std::vector<std::unique_ptr<Part>> parts_;
    bool is_tree_ = false; ///< whether -x followchildren is in use
    bool is_full_ = false; ///< whether the limit of objects was reached and reported
    /// for each description that matches future processes, the numbers of processes with and without its probes; absent
    /// if there is no such description
    std::optional<ProcessCoverage> coverage_;
    std::vector<std::string> everywhere_; ///< provider patterns that may match probes of any process
    std::set<std::string> build_ids_;     ///< build IDs of files whose probes may fire in any process
    /// Names of mapped files that matched a description. Later mappings of such a name are checked too, because they
    /// may be of another file.
    std::set<std::string> copied_;
    /// Files that were mapped since the start. The set has a limited size; a file that was removed from the set for
    /// lack of space is checked again.
    RecentSet<std::string> known_files_{1 << 16};
};

} // namespace dt
