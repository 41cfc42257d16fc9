// Trace events: a perf event for each, with its cookie. The event is opened on one CPU only, but the program runs
// wherever the tracepoint is met. The target is the event's number, which libbpf would look up where tracefs is
// mounted.
#include <bpf/libbpf.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "probes/attach/mechanisms.hpp"

namespace dt::probes {
namespace {

/// A descriptor, or the negative errno.
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
    Result<Attached> attach(bpf_program* program, const AttachPlan& plan, const AttachOptions& options) const override
    {
        Attached result;
        for (const AttachTarget& target : plan.targets) {
            if (options.progress)
                options.progress(1);
            const int event = open_event(target.where);
            LIBBPF_OPTS(bpf_perf_event_opts, event_options);
            event_options.bpf_cookie = target.cookie;
            bpf_link* const link =
                event < 0 ? nullptr : bpf_program__attach_perf_event_opts(program, event, &event_options);
            const int code = event < 0 ? -event : errno;
            if (link) {
                result.attachments.push_back(std::make_unique<LinkAttachment>(link)); // which owns the event
                continue;
            }
            if (event >= 0)
                close(event);
            result.refusals.push_back({&target, reason_of(code)});
        }
        return result;
    }

    /// In the emulated guest, and natively: nearly all is waiting for the kernel's grace periods.
    AttachCost cost() const override { return {1, 60}; }
};

} // namespace

const AttachMechanism& tracepoint_mechanism()
{
    static const Tracepoint mechanism;
    return mechanism;
}

} // namespace dt::probes
