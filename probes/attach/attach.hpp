// How a loaded program comes to run at its hook: one mechanism, one file.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dcompiler/plan.hpp"

struct dt_tick;

namespace dt::probes {

/// Keeps a program attached for as long as it lives. Nothing outlives the process, however it ends, but for links that
/// have a name (libdtrace/load/pins.hpp).
class Attachment {
public:
    virtual ~Attachment() = default;

    /// Descriptor of the BPF link; -1 when there is none.
    virtual int link() const { return -1; }

    /// The only process that it fires in; 0: there is no such one, or it went with its first thread.
    virtual int64_t process() const { return 0; }

    /// The CPUs that are online have changed; what is attached to a CPU follows them.
    virtual void follow_cpus(const std::vector<int>&) {}

    /// Before the next two: where the program counts its runs.
    virtual void count_by(volatile dt_tick*) {}
    /// A firing that is overdue is asked for again. To be called some ten times a second; cheap.
    virtual void keep_time() {}
    /// ns until a firing may be overdue, if none comes; 0 while one is asked for. Nothing has to keep time before.
    virtual int64_t until_late() const { return INT64_MAX; }
};

struct AttachOptions {
    std::optional<uint32_t> cpu;               ///< -x cpu: the only CPU to trace
    std::function<void(std::size_t)> progress; ///< so many more targets were tried; null: nobody wants to know
    std::function<bool(uint64_t)>
        was_refused; ///< an address that the kernel allows no probe at, as it has said before; null: not known
};

/// What each target costs in milliseconds.
struct AttachCost {
    double attach = 0, detach = 0;
};

/// A target that the kernel would not have, of a plan whose others are attached.
struct Refusal {
    const AttachTarget* target = nullptr;
    std::string reason;
    bool always = false;  ///< the kernel allows no probe there, now and later
    bool is_gone = false; ///< the process has ended since it was looked at
};

struct Attached {
    std::vector<std::unique_ptr<Attachment>> attachments;
    std::vector<Refusal> refusals;
};

/// Links that were made by another process. The descriptors are the attachments' from now on; the program's, which they
/// all have, lives as long as they do. A negative errno in its place: there is none.
std::pair<Attached, int> taken_up(const std::vector<int>& links);

class AttachMechanism {
public:
    virtual ~AttachMechanism() = default;

    /// Attaches a loaded program, by its descriptor, to the plan's targets. An error means that nothing is attached: it
    /// says what was refused and, where there is one, the remedy; `code` is the errno.
    virtual Result<Attached> attach(int program, const AttachPlan& plan, const AttachOptions& options) const = 0;

    /// As measured; nothing where it was never worth while.
    virtual AttachCost cost() const { return {}; }
};

/// The mechanism for a kind of program, or null: those are run, or called, not attached.
const AttachMechanism* mechanism_for(ProgramKind kind);

/// Runs a raw tracepoint program once, now, in this process, with all context words 0 (BPF_PROG_TEST_RUN). With `cpu`,
/// on that CPU. `name` is for the error.
Result<void> run_once(int program, const std::string& name, std::optional<uint32_t> cpu);

} // namespace dt::probes
