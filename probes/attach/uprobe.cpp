// Attaches uprobes and uretprobes one by one: a perf event for each instruction (perf_event_open(2), type of the uprobe
// PMU), with its cookie. Each detachment waits for the kernel's grace periods, so this is used only in kernels without
// uprobe.multi (uprobe_multi.cpp).
#include <linux/perf_event.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "probes/attach/mechanisms.hpp"
#include "probes/attach/probe_event.hpp"
#include "probes/attach/uprobe.hpp"

namespace dt::probes {

std::string why_no_uprobe(int code)
{
    constexpr int kNotSupported = 524; // ENOTSUPP, which has no name in user space (linux/errno.h)
    switch (code) {
    case EPERM:
    case EACCES:
        return "it takes root or CAP_SYS_ADMIN where the kernel has no uprobe.multi (6.6), and CAP_BPF and CAP_PERFMON "
               "where it has";
    case kNotSupported:
    case EOPNOTSUPP:
        return "the kernel cannot run this instruction out of its place";
    case EILSEQ:
    case EINVAL:
    case EIO:
        return "the kernel allows no probe there";
    case EBADF:
        return "what holds it is no file on a disk";
    case ESRCH:
    case ENOENT:
        return "the process has ended";
    case EMFILE:
        return "too many open files (raise the limit: ulimit -n)";
    default:
        return std::strerror(code);
    }
}

bool is_process_gone(int code)
{
    return code == ESRCH || code == ENOENT;
}

namespace {

constexpr int kCounterShift = 32; // format/ref_ctr_offset: config:32-63

/// Returns null and sets errno on failure.
std::unique_ptr<Attachment> attach_one(int program, const AttachTarget& target, uint32_t type, bool at_return)
{
    perf_event_attr attr{};
    attr.size = sizeof attr;
    attr.type = type;
    attr.config = (target.counter << kCounterShift) | at_return; // format/retprobe: config:0
    attr.uprobe_path = reinterpret_cast<uintptr_t>(target.where.c_str());
    attr.probe_offset = target.address;
    return attach_probe_event(program, attr, target.process != 0 ? static_cast<pid_t>(target.process) : -1,
                              target.cookie);
}

class Uprobe final : public AttachMechanism {
public:
    explicit Uprobe(bool at_return) : at_return_(at_return) {}

    Result<Attached> attach(int program, const AttachPlan& plan, const AttachOptions& options) const override
    {
        Attached result;
        int code = 0;
        const uint32_t type = probe_event_type("uprobe");
        if (type == 0)
            return Error{"cannot attach to functions of processes: the kernel has no uprobes (CONFIG_UPROBE_EVENTS)",
                         ENOTSUP};
        for (const AttachTarget& target : plan.targets) {
            if (options.progress)
                options.progress(1);
            if (auto hooked = attach_one(program, target, type, at_return_)) {
                result.attachments.push_back(std::move(hooked));
                continue;
            }
            code = errno;
            result.refusals.push_back({&target, why_no_uprobe(code), false, is_process_gone(code)});
        }
        const bool all_gone = std::all_of(result.refusals.begin(), result.refusals.end(),
                                          [](const Refusal& refusal) { return refusal.is_gone; });
        if (result.attachments.empty() && !all_gone)
            return Error{"cannot attach to " + name_of(plan.targets.front()) + ": " + result.refusals.front().reason,
                         code};
        return result;
    }

    /// Measured in the emulated guest, with many events released together.
    AttachCost cost() const override { return {0.7, 12}; }

private:
    bool at_return_;
};

} // namespace

std::string name_of(const AttachTarget& target)
{
    return target.probe ? target.probe->full_name() : target.where;
}

const AttachMechanism& uprobe_mechanism()
{
    static const Uprobe mechanism(false);
    return mechanism;
}

const AttachMechanism& uretprobe_mechanism()
{
    static const Uprobe mechanism(true);
    return mechanism;
}

} // namespace dt::probes
