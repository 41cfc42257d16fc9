// Attaches fentry and fexit programs, which kernel functions call through trampolines. A program is attached to one
// function or to any number of functions.
#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "base/kernel_abi.hpp"
#include "probes/attach/mechanisms.hpp"

namespace dt::probes {
namespace {

/// Attachment to a function that the kernel calls only while a thread has a perf event. Owns the link, and such an
/// event.
class AttachmentWithEvent final : public Attachment {
public:
    AttachmentWithEvent(int link, int event) : link_(link), event_(event) {}
    ~AttachmentWithEvent() override { close(event_); }
    int link() const override { return link_.link(); }

private:
    DescriptorAttachment link_;
    int event_;
};

/// Opens a perf event of this process that never counts. Returns -1 with errno set if the kernel refuses it.
int open_idle_event()
{
    perf_event_attr attr{};
    attr.type = PERF_TYPE_SOFTWARE;
    attr.size = sizeof attr;
    attr.config = PERF_COUNT_SW_DUMMY;
    attr.disabled = attr.exclude_kernel = 1;
    return static_cast<int>(syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

/// Attaches a program to a single function (BPF_RAW_TRACEPOINT_OPEN). The function calls the program through a
/// trampoline that the kernel creates for the function's prototype. The function was given when the program was loaded.
class Trampoline final : public AttachMechanism {
public:
    Result<Attached> attach(int program, const AttachPlan& plan, const AttachOptions&) const override
    {
        const std::string& function = plan.targets.front().where;
        const int link = bpf_raw_tracepoint_open(nullptr, program);
        if (link < 0)
            return Error{"cannot attach to kernel function " + function + ": " + std::strerror(-link), -link};
        if (!plan.needs_event)
            return attached(std::make_unique<DescriptorAttachment>(link));
        const int event = open_idle_event();
        if (event >= 0)
            return attached(std::make_unique<AttachmentWithEvent>(link, event));
        const int code = errno;
        close(link);
        return Error{"cannot open a perf event, without which the kernel does not call " + function + ": " +
                         std::strerror(code),
                     code};
    }

    /// These times were measured in an emulated machine. Most of the time is spent waiting for the kernel's grace
    /// periods.
    AttachCost cost() const override { return {130, 140}; }
};

} // namespace

const AttachMechanism& trampoline_mechanism()
{
    static const Trampoline mechanism;
    return mechanism;
}

// Attaches one program to any number of functions, which call it through trampolines of the kernel. A firing costs at
// most a third of a firing by kprobe.multi (docs/performance.md). The kernel identifies functions by their ids in its
// type information, so only typed functions of the core kernel are supported.
//
// libbpf of Debian 12 does not support this mechanism, so this file makes the system call itself. The argument is
// declared here as the beginning of union bpf_attr of Linux 7.2.

namespace {

/// Argument of the system call: union bpf_attr, link_create.tracing_multi (include/uapi/linux/bpf.h).
struct FunctionsLink {
    uint32_t program, target = 0, attach_type = abi::kTraceFentryMulti, flags = 0;
    uint64_t types, cookies;
    uint32_t count, unused = 0;
};
static_assert(offsetof(FunctionsLink, types) == 16 && sizeof(FunctionsLink) == 40);

class FentryMulti final : public AttachMechanism {
public:
    /// Attaches the program to all functions or to none. If the kernel refuses one of them, the caller can still use
    /// kprobes for all of them.
    Result<Attached> attach(int program, const AttachPlan& plan, const AttachOptions& options) const override
    {
        std::vector<uint32_t> types;
        std::vector<uint64_t> cookies;
        for (const AttachTarget& target : plan.targets) {
            types.push_back(target.type);
            cookies.push_back(target.cookie);
        }
        FunctionsLink link{.program = static_cast<uint32_t>(program),
                           .types = reinterpret_cast<uintptr_t>(types.data()),
                           .cookies = reinterpret_cast<uintptr_t>(cookies.data()),
                           .count = static_cast<uint32_t>(types.size())};
        const auto descriptor = static_cast<int>(syscall(SYS_bpf, BPF_LINK_CREATE, &link, sizeof link));
        if (descriptor < 0)
            return Error{"cannot attach to " + std::to_string(types.size()) +
                             " kernel functions with one fentry link: " + std::strerror(errno),
                         errno};
        if (options.progress)
            options.progress(types.size());
        return attached(std::make_unique<DescriptorAttachment>(descriptor));
    }

    /// These times were measured in an emulated machine, with thousands of functions.
    AttachCost cost() const override { return {0.27, 0.17}; }
};

} // namespace

const AttachMechanism& fentry_multi_mechanism()
{
    static const FentryMulti mechanism;
    return mechanism;
}

} // namespace dt::probes
