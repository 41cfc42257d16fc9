// Attaches kprobes and kretprobes one by one: a perf event for each function, with its cookie. The event is opened by
// the function's address if it is known (perf_event_open(2): kprobe_func null, kprobe_addr), else by its name.
#include <linux/perf_event.h>

#include <cerrno>
#include <cstring>

#include "base/lockdown.hpp"
#include "probes/attach/mechanisms.hpp"
#include "probes/attach/probe_event.hpp"

namespace dt::probes {
namespace {

std::string reason_of(int code, bool overrides)
{
    std::string reason = std::strerror(code);
    if (code == EPERM && is_locked_down())
        return std::string(kLockedDown) + " and takes no kprobes";
    if (overrides && code == EINVAL)
        reason += " (the kernel does not list it as one whose result may be replaced)";
    else if (code == EMFILE)
        reason += " (raise the limit of open files: ulimit -n)";
    else if (code == EADDRNOTAVAIL || code == ENOENT || code == EINVAL)
        reason += " (the kernel allows no probe there)";
    return reason;
}

/// Returns null and sets errno on failure.
std::unique_ptr<Attachment> attach_one(int program, const AttachTarget& target, uint32_t type, bool at_return)
{
    perf_event_attr attr{};
    attr.size = sizeof attr;
    attr.type = type;
    attr.config = at_return; // format/retprobe: config:0
    if (target.address != 0)
        attr.kprobe_addr = target.address;
    else
        attr.kprobe_func = reinterpret_cast<uintptr_t>(target.where.c_str());
    return attach_probe_event(program, attr, -1, target.cookie);
}

class Kprobe final : public AttachMechanism {
public:
    explicit Kprobe(bool at_return) : at_return_(at_return) {}

    Result<Attached> attach(int program, const AttachPlan& plan, const AttachOptions& options) const override
    {
        Attached result;
        int code = 0;
        const uint32_t type = probe_event_type("kprobe");
        if (type == 0)
            return Error{std::string(kNoKprobes), ENOENT};
        for (const AttachTarget& target : plan.targets) {
            if (options.progress)
                options.progress(1);
            if (auto hooked = attach_one(program, target, type, at_return_)) {
                result.attachments.push_back(std::move(hooked));
                if (!plan.alternatives)
                    continue;
                result.refusals.clear();
                break;
            }
            code = errno;
            result.refusals.push_back({&target, reason_of(code, plan.overrides)});
        }
        if (result.attachments.empty())
            return Error{"cannot attach to kernel function " + plan.targets.front().where + ": " +
                             result.refusals.front().reason,
                         code};
        return result;
    }

    /// Measured in the emulated guest. Most of the time is waiting for the kernel's grace periods; many events are
    /// released together.
    AttachCost cost() const override { return probe_event_type("kprobe") != 0 ? AttachCost{12, 66} : AttachCost{}; }

private:
    bool at_return_;
};

} // namespace

const AttachMechanism& kprobe_mechanism()
{
    static const Kprobe mechanism(false);
    return mechanism;
}

const AttachMechanism& kretprobe_mechanism()
{
    static const Kprobe mechanism(true);
    return mechanism;
}

} // namespace dt::probes
