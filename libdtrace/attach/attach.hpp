// Attaches the programs of a loaded object, and handles hooks that the kernel refuses. If the kernel refuses a
// mechanism and another one can serve the probes, the trace is planned again. Otherwise a probe that the program names
// causes an error; a probe that only a pattern matches is skipped and reported. If attaching takes long, it is
// announced, and its progress is displayed.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/phase_times.hpp"
#include "dcompiler/object/schema.hpp"
#include "dcompiler/sema/program/program.hpp"
#include "libdtrace/kernel/kernel_cache.hpp"
#include "libdtrace/load/loader.hpp"
#include "libdtrace/losses/kernel_losses.hpp"
#include "probes/attach/attach.hpp"

// Announces how long attaching will take, and displays its progress. On most kernels, detaching many functions takes
// minutes, so the user of a pattern must know this in advance.

namespace dt {

/// Callbacks and settings for attaching. Each callback may be null.
struct AttachListener {
    /// receives messages such as "attaching 559 functions by kprobe: …"
    std::function<void(const std::string& text)> announce;
    /// Receives the progress, ten times a second after the first second; in the last call, `done` equals `all`.
    std::function<void(std::size_t done, std::size_t all)> progress;
    /// Callback that runs after the last attachment, before any thread starts that runs for the whole trace.
    std::function<void()> attached;
    /// Whether it is an error if a probe that the program names cannot be attached. If false, such a probe is skipped,
    /// as if only a pattern matched it.
    bool wants_all = true;
    /// Whether attaching continues if the kernel refuses a kind of program. A new plan without this kind is always
    /// computed. If true, attaching continues with the new plan; if false, attaching fails.
    bool goes_on = true;
};

class AttachProgress {
public:
    using Clock = std::function<std::chrono::steady_clock::time_point()>;

    /// `listener` must outlive this object.
    AttachProgress(const std::vector<ProgramPlan>& programs, const AttachListener& listener,
                   Clock clock = std::chrono::steady_clock::now);
    ~AttachProgress();
    AttachProgress(const AttachProgress&) = delete;

    /// Announces the attaching of a kind of program if attaching and detaching will probably take more than two
    /// seconds. Call it once per kind, before its programs are attached. `works` returns whether the kernel has the
    /// mechanism.
    void begin(ProgramKind kind, const std::function<bool()>& works);

    /// Adds `targets` to the number of targets that were tried, for the display of the progress.
    void add(std::size_t targets);

private:
    /// number of targets to announce for each kind of program; 0 if the kind has no targets or was already announced
    std::array<std::size_t, kProgramKinds> targets_{};
    const AttachListener& listener_;
    Clock clock_;
    std::chrono::steady_clock::time_point next_;
    std::size_t done_ = 0, all_ = 0;
    bool shown_ = false;
};

/// How the started trace differs from its plan.
struct StartReport {
    /// Mechanisms that the kernel refused, with the reason. Other mechanisms serve the probes instead.
    std::vector<std::string> fallbacks;
    struct Refused {
        const Probe* probe = nullptr;
        std::string reason;
    };
    std::vector<Refused> refused; ///< probes that the kernel refused and that only a pattern matches
    /// globals and aggregations whose value could not be restored from a previous run, with the reason
    std::vector<std::string> restarted_globals;
};

/// An attached program. `program` is null if the program does not belong to the trace's object.
struct Hook {
    std::unique_ptr<probes::Attachment> attachment;
    const ProgramPlan* program = nullptr;
};

/// All attachments of a trace.
struct Attachments {
    std::vector<Hook> all;
    std::vector<probes::Attachment*> clocks; ///< timer attachments in `all` that must be checked for late ticks
    /// whether the kernel can preempt some of the programs while they run; not reset by release()
    bool preemptible = false;

    /// Adds the attachments of `others` to this object.
    void take(Attachments others);
    /// Fires timer ticks that the kernel has skipped; must be called about ten times a second.
    void repeat_late_ticks();
    /// Returns the time until a tick of some timer may be late; a very long time if there is no timer.
    std::chrono::milliseconds until_tick_is_late() const;
    /// Attaches per-CPU hooks to the CPUs that are online now.
    void follow_cpus(const std::vector<int>& cpus);

    /// Detaches everything, in parallel threads.
    void release();
    /// Reads the loss counters of the links a last time, then detaches everything. Afterwards the links' descriptors
    /// are invalid, because the kernel may reuse them.
    void release(KernelLosses& losses);
    /// Detaches everything except links, which stay attached because bpffs or another process also refers to them.
    /// Their descriptors stay open until the process ends, so this must be called shortly before that.
    void leave();
    /// Removes the attachments of one program from this object, and returns these attachments.
    Attachments take_of(const ProgramPlan& program);
    /// Makes the attachments that fire only in `process` fire even after the first thread of this process has ended.
    /// Returns 0 or an errno.
    int outlive_leader(int64_t process);
    /// Removes the attachments that fire only in one process, and returns them.
    Attachments take_of_process(int64_t process);

private:
    Attachments take_if(const std::function<bool(const Hook&)>& is_meant);
};

/// Raises the limit of open files before attaching, because each perf event needs a descriptor.
void raise_descriptor_limit(const std::vector<ProgramPlan>& programs);

class Attacher {
public:
    /// All arguments passed by reference or pointer must outlive this object.
    Attacher(const Object& object, const LoadedObject& loaded, const Program& program, ProbeSource& probes,
             KernelCache cache, KernelLosses& losses, StartReport& report, Attachments& attachments,
             PhaseTimes* steps = nullptr)
        : object_(object), loaded_(loaded), program_(program), probes_(probes), cache_(std::move(cache)),
          losses_(losses), report_(report), attachments_(attachments), steps_(steps)
    {
    }

    /// Attaches all programs. If the error has a `refused` kind, the kernel refuses this kind of program, and other
    /// kinds can serve its probes. After an error, earlier attachments stay attached.
    Result<void> attach(probes::AttachOptions how, const AttachListener& listener, std::optional<ProgramKind>& refused);

    /// Adopts a program whose links have outlived another tracer; the trace then owns the links.
    Result<void> adopt(const ProgramPlan& plan, const std::vector<int>& links);

    /// Attaches a program again that was attached before. Hooks that the kernel now refuses are skipped.
    Result<void> attach_again(const ProgramPlan& plan, const probes::AttachOptions& how);

private:
    struct FailedHook {
        const ProgramPlan* plan;
        Error error;
    };
    void refuse(const Probe* probe, const std::string& reason);
    void watch(const ProgramPlan& plan, probes::Attached& attached, int program);
    Result<void> judge(const std::vector<FailedHook>& failed);
    bool is_served_by_another(const ProgramPlan& plan, const std::vector<FailedHook>& failed) const;
    bool is_any_named(const AttachPlan& plan) const;
    bool is_named(const Probe& probe) const;
    bool is_process_named(const Probe& probe) const;
    Result<void> judge(const AttachPlan& plan, const std::vector<probes::Refusal>& refusals);

    const Object& object_;
    const LoadedObject& loaded_;
    const Program& program_;
    ProbeSource& probes_;
    const KernelCache cache_;
    KernelLosses& losses_;
    StartReport& report_;
    Attachments& attachments_;
    PhaseTimes* const steps_;
    /// whether it is an error if a probe that the program names cannot be attached (AttachListener::wants_all)
    bool wants_all_ = true;
    bool only_gone_ = true; ///< whether all targets that the kernel refused were in processes that have ended
};

} // namespace dt
