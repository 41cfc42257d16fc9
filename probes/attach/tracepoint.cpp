// Attaches trace events and raw tracepoints: a trace event is attached by a perf event with a cookie, a raw tracepoint
// by a link.
#include <bpf/bpf.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "probes/attach/mechanisms.hpp"
#include "probes/attach/probe_event.hpp"

namespace dt::probes {
namespace {

// Attaches trace events: a perf event for each, with its cookie. The event is opened on one CPU, but the program runs
// on all CPUs. The target is the event's id; libbpf would need a mounted tracefs to find it.

/// Opens the perf event for the trace event whose id is `number`. Returns a descriptor or a negative errno.
int open_event(const std::string& number)
{
    perf_event_attr attr{};
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_TRACEPOINT;
    std::from_chars(number.data(), number.data() + number.size(), attr.config);
    const auto fd = static_cast<int>(syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC));
    return fd < 0 ? -errno : fd;
}

std::string reason_of(int code)
{
    std::string reason = std::strerror(code);
    if (code == EMFILE)
        reason += " (raise the limit of open files: ulimit -n)";
    return reason;
}

class Tracepoint final : public AttachMechanism {
public:
    Result<Attached> attach(int program, const AttachPlan& plan, const AttachOptions& options) const override
    {
        Attached result;
        for (const AttachTarget& target : plan.targets) {
            if (options.progress)
                options.progress(1);
            const int event = open_event(target.where);
            auto hooked = event < 0 ? nullptr : attach_to_event(program, event, target.cookie);
            const int code = event < 0 ? -event : errno;
            if (hooked)
                result.attachments.push_back(std::move(hooked));
            else
                result.refusals.push_back({&target, reason_of(code)});
        }
        return result;
    }

    /// These times were measured in an emulated machine and on real hardware. Most of the time is spent waiting for the
    /// kernel's grace periods.
    AttachCost cost() const override { return {1, 60}; }
};

} // namespace

const AttachMechanism& tracepoint_mechanism()
{
    static const Tracepoint mechanism;
    return mechanism;
}

// Attaches raw tracepoints by BPF_RAW_TRACEPOINT_OPEN: by the tracepoint's name, or, if the program was loaded for a
// certain tracepoint, by the program alone. The link is one descriptor; closing it detaches in 0.1 ms.

namespace {

std::string reason_of_tracepoint(const std::string& name, int code)
{
    return code == ENOENT ? "this kernel has no tracepoint " + name + ", or the module that has it is not loaded"
                          : std::string(std::strerror(code));
}

class RawTracepoint final : public AttachMechanism {
public:
    Result<Attached> attach(int program, const AttachPlan& plan, const AttachOptions&) const override
    {
        const AttachTarget& target = plan.targets.front();
        const int link = bpf_raw_tracepoint_open(target.where.c_str(), program);
        // If a tracepoint is missing, the trace does not fail, because a pattern may have matched many other
        // tracepoints.
        if (link < 0 && target.probe) {
            Attached result;
            result.refusals.push_back({&target, reason_of_tracepoint(target.where, -link)});
            return result;
        }
        if (link < 0)
            return Error{"cannot attach to tracepoint " + target.where + ": " + std::strerror(-link), -link};
        return attached(std::make_unique<DescriptorAttachment>(link));
    }
};

/// The program was loaded for this tracepoint, so the name is not needed here.
class TypedTracepoint final : public AttachMechanism {
public:
    Result<Attached> attach(int program, const AttachPlan& plan, const AttachOptions&) const override
    {
        const int link = bpf_raw_tracepoint_open(nullptr, program);
        if (link >= 0)
            return attached(std::make_unique<DescriptorAttachment>(link));
        return Error{"cannot attach to tracepoint " + plan.targets.front().where + ": " + std::strerror(-link), -link};
    }
};

} // namespace

const AttachMechanism& raw_tracepoint_mechanism()
{
    static const RawTracepoint mechanism;
    return mechanism;
}

const AttachMechanism& typed_tracepoint_mechanism()
{
    static const TypedTracepoint mechanism;
    return mechanism;
}

} // namespace dt::probes
