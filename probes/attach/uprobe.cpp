// Uprobes and uretprobes one by one: a perf event for each instruction (perf_event_open(2), type of the uprobe PMU), with its cookie. Detaching each
// waits for the kernel's grace periods, so this is for kernels that have nothing better (uprobe_multi.cpp).
#include <bpf/libbpf.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "probes/attach/mechanisms.hpp"
#include "probes/attach/uprobe.hpp"

namespace dt::probes {

std::string why_no_uprobe(int code)
{
    constexpr int kNotSupported = 524; // ENOTSUPP, which user space has no name for (linux/errno.h)
    switch (code) {
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
        return "the process has ended";
    case EMFILE:
        return "too many open files (raise the limit: ulimit -n)";
    default:
        return std::strerror(code);
    }
}

namespace {

constexpr int kCounterShift = 32; // format/ref_ctr_offset: config:32-63

/// The number by which perf events mean uprobes; 0: there is none.
uint32_t uprobe_type()
{
    uint32_t type = 0;
    std::ifstream("/sys/bus/event_source/devices/uprobe/type") >> type;
    return type;
}

/// Null with errno.
bpf_link* attach_one(bpf_program* program, const AttachTarget& target, uint32_t type, bool at_return)
{
    perf_event_attr attr{};
    attr.size = sizeof attr;
    attr.type = type;
    attr.config = (target.counter << kCounterShift) | at_return; // format/retprobe: config:0
    attr.uprobe_path = reinterpret_cast<uintptr_t>(target.where.c_str());
    attr.probe_offset = target.address;
    const pid_t process = target.process != 0 ? static_cast<pid_t>(target.process) : -1;
    const int cpu = process < 0 ? 0 : -1; // which CPU does not matter: the event is the file's
    const auto event = static_cast<int>(syscall(SYS_perf_event_open, &attr, process, cpu, -1, PERF_FLAG_FD_CLOEXEC));
    if (event < 0)
        return nullptr;
    LIBBPF_OPTS(bpf_perf_event_opts, options);
    options.bpf_cookie = target.cookie;
    bpf_link* const link = bpf_program__attach_perf_event_opts(program, event, &options); // which owns the event
    if (!link) {
        const int code = errno;
        close(event);
        errno = code;
    }
    return link;
}

class Uprobe final : public AttachMechanism {
public:
    explicit Uprobe(bool at_return) : at_return_(at_return) {}

    Result<Attached> attach(bpf_program* program, const AttachPlan& plan, const AttachOptions& options) const override
    {
        Attached result;
        int code = 0;
        const uint32_t type = uprobe_type();
        if (type == 0)
            return Error{"cannot attach to functions of processes: the kernel has no uprobes (CONFIG_UPROBE_EVENTS)", ENOTSUP};
        for (const AttachTarget& target : plan.targets) {
            if (options.progress)
                options.progress(1);
            if (bpf_link* const link = attach_one(program, target, type, at_return_)) {
                result.attachments.push_back(std::make_unique<LinkAttachment>(link));
                continue;
            }
            code = errno;
            result.refusals.push_back({&target, why_no_uprobe(code)});
        }
        if (result.attachments.empty())
            return Error{"cannot attach to " + name_of(plan.targets.front()) + ": " + result.refusals.front().reason, code};
        return result;
    }

    /// In the emulated guest, many events at a time when they are released.
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
