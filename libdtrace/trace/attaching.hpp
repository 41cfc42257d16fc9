// Attaching the programs of a loaded object, and what becomes of hooks that the kernel refuses: what the program names
// is an error, what a pattern of it only covers is left out and told, and where another mechanism could serve, the
// trace plans anew without the refused one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dcompiler/sema/program.hpp"
#include "base/steps.hpp"
#include "libdtrace/load/kernel_losses.hpp"
#include "libdtrace/load/loader.hpp"
#include "libdtrace/trace/attach_progress.hpp"
#include "libdtrace/world/boot_cache.hpp"
#include "probes/attach/attach.hpp"

namespace dt {

/// What did not go as planned when a trace was started.
struct StartReport {
    std::vector<std::string> fallbacks; ///< mechanisms that the kernel refused, and why; others serve the probes
    struct Refused {
        const Probe* probe = nullptr;
        std::string reason;
    };
    std::vector<Refused> refused;        ///< probes that a pattern covers and the kernel would not have
    std::vector<std::string> begun_anew; ///< globals and aggregations that could not go on from a former run's, and why
};

/// A place where a program is attached. `program`: null where it is no program of the trace's object.
struct Hook {
    std::unique_ptr<probes::Attachment> attachment;
    const ProgramPlan* program = nullptr;
};

/// What is attached.
struct Attachments {
    std::vector<Hook> all;
    std::vector<probes::Attachment*> clocks; ///< of these, those that are to be asked whether they are late
    bool preemptible = false;                ///< some of the programs may be preempted; stays known after release()

    /// These, too, from now on.
    void take(Attachments others);
    /// To be called some ten times a second.
    void keep_time();
    /// Until one of them may be late; long when there is none.
    std::chrono::milliseconds until_late() const;
    /// These CPUs are online now.
    void follow_cpus(const std::vector<int>& cpus);

    /// Detaches all, side by side.
    void release();
    /// Those with a link stay attached, by whatever else holds that. Their descriptors close with the process: who is
    /// about to end calls this.
    void leave();
    /// Those of one program: they are no more among these.
    Attachments take_of(const ProgramPlan& program);
    /// Those that fire in one process alone.
    Attachments take_of_process(int64_t process);

private:
    Attachments take_if(const std::function<bool(const Hook&)>& is_meant);
};

/// Before attaching: perf events take a descriptor each.
void raise_descriptor_limit(const std::vector<ProgramPlan>& programs);

class Attaching {
public:
    /// All that is not copied must outlive this.
    Attaching(const Object& object, const LoadedObject& loaded, const Program& program, ProbeSource& probes,
              BootCache cache, KernelLosses& losses, StartReport& report, Attachments& attachments,
              Steps* steps = nullptr)
        : object_(object), loaded_(loaded), program_(program), probes_(probes), cache_(std::move(cache)),
          losses_(losses), report_(report), attachments_(attachments), steps_(steps)
    {
    }

    /// An error with a `refused` kind: the kernel will have none of it, and others could serve its probes. What was
    /// attached until then stays.
    Result<void> attach(probes::AttachOptions how, const AttachListener& listener, std::optional<ProgramKind>& refused);

    /// A program whose links have outlived another tracer; they are the trace's from now on.
    Result<void> take_up(const ProgramPlan& plan, const std::vector<int>& links);

    /// A program that was attached before. What the kernel refuses now is left out.
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
    const BootCache cache_;
    KernelLosses& losses_;
    StartReport& report_;
    Attachments& attachments_;
    Steps* const steps_;
    bool wants_all_ = true; ///< AttachListener
    bool only_gone_ = true; ///< all that was refused was in processes that have ended
};

} // namespace dt
