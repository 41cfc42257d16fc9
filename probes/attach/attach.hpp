// Attaches loaded programs to their hooks. The files of this folder implement the kernel's mechanisms, one file per
// kind of hook.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dcompiler/interface/plan.hpp"

struct dt_tick;

namespace dt::probes {

/// A program stays attached as long as this object exists. All attachments end with the process, except named links
/// (libdtrace/load/pins.hpp).
class Attachment {
public:
    virtual ~Attachment() = default;

    /// Returns the descriptor of the BPF link; -1 if there is none.
    virtual int link() const { return -1; }

    /// Returns the process to which the attachment is limited. Returns 0 if it fires in all processes, or if the kernel
    /// ends it together with the first thread of its process.
    virtual int64_t process() const { return 0; }

    /// Makes an attachment that is limited to process() continue after the first thread of that process has ended.
    /// Returns 0 or an errno.
    virtual int outlive_leader() { return 0; }

    /// Adapts the attachment to a change of the online CPUs: hooks that exist per CPU are added and removed.
    virtual void follow_cpus(const std::vector<int>&) {}

    /// Calls the program for some objects of its iterator, each once; the first call begins with the first object.
    /// Returns false when no objects are left. Attachments that are not iterators have no objects.
    virtual Result<bool> list_some() { return false; }

    /// Sets the counter that the program increments at each run. Call it before repeat_late_ticks() and
    /// until_tick_is_late().
    virtual void count_runs_in(volatile dt_tick*) {}
    /// Repeats a timer tick that is overdue (missed_ticks.hpp). Call it about ten times per second; a call without an
    /// overdue tick is cheap.
    virtual void repeat_late_ticks() {}
    /// Returns the time in ns until a timer tick may be overdue; 0 while a tick is being repeated. repeat_late_ticks()
    /// need not be called before that time.
    virtual int64_t until_tick_is_late() const { return INT64_MAX; }
};

struct AttachOptions {
    std::optional<uint32_t> cpu; ///< the only CPU to trace (-x cpu)
    /// Progress callback: receives the number of targets that were tried since its previous call; may be null.
    std::function<void(std::size_t)> progress;
    /// Callback that returns whether the kernel has already refused a probe at an address; may be null.
    std::function<bool(uint64_t)> was_refused;
};

/// Milliseconds to attach and to detach one target. Both values are 0 if the mechanism was never measured.
struct AttachCost {
    double attach = 0, detach = 0;
};

/// A target that the kernel refused, while other targets of the same plan are attached.
struct Refusal {
    const AttachTarget* target = nullptr;
    std::string reason;
    bool always = false;  ///< whether the kernel never allows a probe on this target
    bool is_gone = false; ///< whether the target's process has ended since the plan was made
};

struct Attached {
    std::vector<std::unique_ptr<Attachment>> attachments;
    std::vector<Refusal> refusals;
};

/// Adopts links that another process has made; the returned attachments own the links' descriptors. The second part of
/// the result is the descriptor of the program that all links use, or a negative errno. The descriptor is valid as long
/// as the attachments exist.
std::pair<Attached, int> adopt_links(const std::vector<int>& links);

class AttachMechanism {
public:
    virtual ~AttachMechanism() = default;

    /// Attaches a loaded program to the plan's targets. `program` is its descriptor. On error nothing is attached. The
    /// message names the targets or the mechanism that the kernel refused, and a remedy if one is known; `code` is the
    /// errno.
    virtual Result<Attached> attach(int program, const AttachPlan& plan, const AttachOptions& options) const = 0;

    /// Returns the measured times to attach and detach one target; zeros if they were never measured.
    virtual AttachCost cost() const { return {}; }
};

/// Returns the mechanism that attaches this kind of program; null if programs of this kind are never attached but run
/// or called.
const AttachMechanism* mechanism_for(ProgramKind kind);

/// Runs a raw tracepoint program once in this process, with all context words 0 (BPF_PROG_TEST_RUN). If `cpu` is set,
/// runs it on that CPU. `name` is for error messages.
Result<void> run_once(int program, const std::string& name, std::optional<uint32_t> cpu);

} // namespace dt::probes
