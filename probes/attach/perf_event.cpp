// CPU clock and other software events: one perf event per CPU, or on one CPU, with the program set on each descriptor.
//
// The descriptor alone carries the attachment (PERF_EVENT_IOC_SET_BPF), so there is no link object to make and to release.
#include <bpf/libbpf.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <vector>

#include "probes/attach/mechanisms.hpp"

namespace dt::probes {
namespace {

class Events final : public Attachment {
public:
    ~Events() override
    {
        for (const int fd : fds_)
            close(fd);
    }
    void add(int fd) { fds_.push_back(fd); }
    bool empty() const { return fds_.empty(); }

private:
    std::vector<int> fds_;
};

Error refused(const char* what, int code)
{
    std::string message = std::string("cannot ") + what + " a software event: " + std::strerror(code);
    if (code == EMFILE)
        message += " (raise the limit of open files: ulimit -n)";
    else if (code == EPERM || code == EACCES)
        message += " (CAP_PERFMON is needed)";
    return {std::move(message), code};
}

/// A descriptor, or the negative errno.
int open_event(uint64_t number, uint64_t period, int cpu)
{
    perf_event_attr attr{};
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = number;
    attr.sample_period = period;
    attr.wakeup_events = 1;
    attr.disabled = 1;
    const auto fd = static_cast<int>(syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC));
    return fd < 0 ? -errno : fd;
}

class PerfEvent final : public AttachMechanism {
public:
    /// The target: "PERIOD:all" or "PERIOD:one", the period in nanoseconds of the CPU clock; "PERIOD:all:NUMBER", that of another software event.
    Result<Attached> attach(bpf_program* program, const AttachPlan& plan, const AttachOptions& options) const override
    {
        const std::string& target = plan.targets.front().where;
        uint64_t period = 0;
        const char* const end = target.data() + target.size();
        const auto [colon, error] = std::from_chars(target.data(), end, period);
        if (error != std::errc{} || colon == end || *colon != ':')
            return Error{"malformed software event: " + target};
        const std::string_view rest(colon + 1, end);
        const bool all = rest.substr(0, 3) == "all";
        uint64_t number = PERF_COUNT_SW_CPU_CLOCK;
        if (rest.size() > 4 && std::from_chars(rest.data() + 4, end, number).ec != std::errc{})
            return Error{"malformed software event: " + target};

        auto events = std::make_unique<Events>();
        const int first = options.cpu ? static_cast<int>(*options.cpu) : 0;
        const int last = options.cpu ? first : libbpf_num_possible_cpus() - 1;
        for (int cpu = first; cpu <= last && (all || events->empty()); ++cpu) {
            const int fd = open_event(number, period, cpu);
            if (fd == -ENODEV && !options.cpu)
                continue; // not online
            if (fd < 0)
                return refused("open", -fd);
            events->add(fd);
            if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, bpf_program__fd(program)) != 0 || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) != 0)
                return refused("attach to", errno);
        }
        if (events->empty())
            return refused("open", ENODEV);
        return attached(std::move(events));
    }
};

} // namespace

const AttachMechanism& perf_event_mechanism()
{
    static const PerfEvent mechanism;
    return mechanism;
}

} // namespace dt::probes
