// Opens perf events of dynamic PMUs, whose type numbers the kernel assigns at boot and publishes in sysfs, and finds
// the capability that perf events need.
#include "probes/attach/probe_event.hpp"

#include <bpf/bpf.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

namespace dt::probes {
namespace {

/// Attachment of a program to a perf event. The program is attached by a link, or directly if `link` is -1.
class EventAttachment final : public Attachment {
public:
    EventAttachment(int event, int link) : event_(event), link_(link) {}
    ~EventAttachment() override
    {
        ioctl(event_, PERF_EVENT_IOC_DISABLE, 0);
        close(event_);
        if (link_ >= 0)
            close(link_);
    }
    int link() const override { return link_; }

private:
    int event_, link_;
};

} // namespace

uint32_t probe_event_type(const char* kind)
{
    uint32_t type = 0;
    std::ifstream(std::string("/sys/bus/event_source/devices/") + kind + "/type") >> type;
    return type;
}

std::unique_ptr<Attachment> attach_to_event(int program, int event, uint64_t cookie)
{
    LIBBPF_OPTS(bpf_link_create_opts, options);
    options.perf_event.bpf_cookie = cookie;
    int link = bpf_link_create(program, event, BPF_PERF_EVENT, &options);
    if (link == -EINVAL && cookie == 0 && ioctl(event, PERF_EVENT_IOC_SET_BPF, program) == 0)
        // kernels before 5.15 have no links for perf events, so the program is attached directly
        link = -1;
    else if (link < 0) {
        close(event);
        errno = -link;
        return nullptr;
    }
    auto hooked = std::make_unique<EventAttachment>(event, link);
    if (ioctl(event, PERF_EVENT_IOC_ENABLE, 0) == 0)
        return hooked;
    const int code = errno;
    hooked.reset();
    errno = code;
    return nullptr;
}

std::unique_ptr<Attachment> attach_probe_event(int program, perf_event_attr& attr, int process, uint64_t cookie)
{
    // An event for all processes must be opened on one CPU, and any CPU will do, because the probe fires on all CPUs.
    const int cpu = process < 0 ? 0 : -1;
    const auto event = static_cast<int>(syscall(SYS_perf_event_open, &attr, process, cpu, -1, PERF_FLAG_FD_CLOEXEC));
    return event < 0 ? nullptr : attach_to_event(program, event, cookie);
}

// Debian's kernels have the additional level kernel.perf_event_paranoid=3 and use it by default. At this level, perf
// events need CAP_SYS_ADMIN.

namespace {

constexpr int kMaxElsewhere = 2;

int paranoid_level()
{
    std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
    int level = 0;
    file >> level;
    return level;
}

} // namespace

bool perf_events_take_admin()
{
    return paranoid_level() > kMaxElsewhere;
}

std::string perf_permission_needed()
{
    const int level = paranoid_level();
    if (level <= kMaxElsewhere)
        return "CAP_PERFMON is needed";
    return "CAP_SYS_ADMIN is needed while sysctl kernel.perf_event_paranoid is " + std::to_string(level) +
           "; CAP_PERFMON is enough when it is 2";
}

Result<Attached> attach_each(const AttachPlan& plan, const AttachOptions& options,
                             std::string (*name)(const AttachTarget&),
                             const std::function<std::unique_ptr<Attachment>(const AttachTarget&)>& attach_one,
                             const std::function<Refusal(int)>& refusal)
{
    Attached result;
    int code = 0;
    bool all_gone = true;
    for (const AttachTarget& target : plan.targets) {
        if (options.progress)
            options.progress(1);
        if (auto hooked = attach_one(target)) {
            result.attachments.push_back(std::move(hooked));
            if (!plan.alternatives)
                continue;
            result.refusals.clear();
            break;
        }
        code = errno;
        result.refusals.push_back(refusal(code));
        result.refusals.back().target = &target;
        all_gone = all_gone && result.refusals.back().is_gone;
    }
    if (result.attachments.empty() && !all_gone)
        return Error{"cannot attach to " + name(plan.targets.front()) + ": " + result.refusals.front().reason, code};
    return result;
}

} // namespace dt::probes
