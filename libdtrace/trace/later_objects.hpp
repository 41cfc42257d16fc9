// Probes of what processes map while they are traced: libraries that are loaded later, programs that take the place of
// others.
//
// Descriptions are looked up when a trace begins. When a process of the session maps another file they are looked up
// again, and what is found then gets an object of its own, compiled from the same texts for the new places only. It
// uses the maps of the first: state, variables, aggregations and buffers are the same, and numbers of names go on where
// those end. Processes that descriptions name stand still meanwhile (process/keeper.hpp); what others call between the
// mapping and the attaching is missed.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/recent_set.hpp"
#include "dcompiler/compiler.hpp"
#include "libdtrace/load/kernel_losses.hpp"
#include "libdtrace/load/loader.hpp"
#include "libdtrace/process/mapping_events.hpp"
#include "libdtrace/trace/attaching.hpp"
#include "libdtrace/trace/coverage.hpp"
#include "libdtrace/trace/followed.hpp"
#include "libdtrace/trace/later_world.hpp"
#include "libdtrace/trace/unwound.hpp"

namespace dt {

/// What a program was made of, to be read again.
struct ProgramTexts {
    struct Text {
        const Source* source;
        SpecKind kind;
        Macros macros;
    };
    Options options; ///< that it began with
    std::vector<Text> programs;
    const std::deque<Source>* libraries = nullptr;
};

class LaterObjects {
public:
    /// Can descriptions of the program mean probes that are not there yet?
    static bool may_follow(const Program& program, const Processes& processes);

    /// Are some of them about processes of -c and -p themselves, so that these have to wait for their probes?
    static bool names_processes(const Program& program, const Processes& processes);

    /// All must outlive this. `first` is what runs; the schemas of later objects are added to its own.
    struct Running {
        LiveWorld& world;
        Processes& processes;
        const Followed& followed;
        const ProgramTexts& texts;
        const Program& program;
        Object& first;
        const LoadedObject& loaded;
        KernelLosses& losses;
        UnwoundCalls& unwound;
        std::mutex& switching_off; ///< held while anything is attached: another thread may detach all at any time
        std::function<void(pid_t)> detach; ///< what fires in that process alone
    };
    explicit LaterObjects(Running running);
    ~LaterObjects();

    /// Has a process mapped something since the last update()? Cheap.
    bool has_news();

    struct Update {
        LoadedObject* added = nullptr;
        const Schema* schema = nullptr;    ///< of that
        Attachments attachments;           ///< what is to be kept
        std::vector<std::string> problems; ///< probes that could not be hooked, and why
    };
    /// Looks for new probes and hooks them.
    Update update(const probes::AttachOptions& how);
    /// Plans that tell where processes unwind their stacks, as of the last update that looked.
    const std::vector<std::shared_ptr<const AttachPlan>>& unwinding() const { return probes_.unwinding(); }

    /// At the end: how many processes descriptions covered that mean those to come. `all`: also where none came.
    std::vector<output::Note> coverage(bool all)
    {
        return coverage_ ? coverage_->report(all) : std::vector<output::Note>();
    }

private:
    struct Part;

    bool is_ours(pid_t pid) const;
    bool is_meant(const MappingEvent& event, const std::string& path) const;
    bool is_new_to_all(const MappingEvent& event);
    void follow_leader(const MappingEvent& event);
    bool is_limited_by_memory(pid_t pid) const;
    void hook_again(pid_t pid);
    /// With `refused`: nothing was added, and another kind of program could do it.
    Result<void> add(const probes::AttachOptions& how, Update& update, std::optional<ProgramKind>& refused);
    Result<std::unique_ptr<Part>> compile();
    bool fits(const Part& part) const;
    void join(const Part& part);

    Running running_;
    HookedPlaces hooked_;
    LaterProbes probes_;
    LaterWorld world_;
    MappingEvents events_;
    std::set<pid_t> changed_;
    std::set<pid_t> lost_leaders_; ///< processes of which the first thread has ended
    std::vector<std::unique_ptr<Part>> parts_;
    bool is_tree_ = false;                        ///< processes are followed
    bool is_full_ = false;                        ///< which was told
    std::optional<Coverage> coverage_;            ///< where there are such
    std::vector<std::string> everywhere_;         ///< patterns for providers of which any process may have probes
    std::set<std::string> build_ids_;             ///< of which any process may map copies
    std::set<std::string> copied_;                ///< names of files that are meant: other files may have the same
    RecentSet<std::string> known_files_{1 << 16}; ///< that were mapped since; what is forgotten is looked at once more
};

} // namespace dt
