// Attaches uprobes and uretprobes by two mechanisms: a perf event for each instruction, or one link for many
// instructions of a file in newer kernels.
#include "probes/attach/uprobe.hpp"

#include <bpf/bpf.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <map>
#include <utility>

#include "base/kernel_abi.hpp"
#include "base/proc_file.hpp"
#include "probes/attach/mechanisms.hpp"
#include "probes/attach/probe_event.hpp"

namespace dt::probes {

// Attaches uprobes and uretprobes one by one: a perf event for each instruction (perf_event_open(2), with the type of
// the uprobe PMU), with its cookie. Each detachment waits for the kernel's grace periods, so this mechanism is used
// only in kernels without uprobe.multi.

std::string why_no_uprobe(int code)
{
    constexpr int kNotSupported = 524; // ENOTSUPP, which has no name in user space (linux/errno.h)
    switch (code) {
    case EPERM:
    case EACCES:
        return "root or CAP_SYS_ADMIN is needed; CAP_BPF and CAP_PERFMON are enough if the kernel has uprobe.multi "
               "(Linux 6.6)";
    case kNotSupported:
    case EOPNOTSUPP:
        return "the kernel cannot run a copy of this instruction at another address, as a probe needs";
    case EILSEQ:
    case EINVAL:
    case EIO:
        return "the kernel does not allow a probe at this address";
    case EBADF:
        return "its code is not in a regular file";
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

Refusal uprobe_refusal(int code)
{
    return {nullptr, why_no_uprobe(code), false, is_process_gone(code)};
}

// bits 32 to 63 of the event's config contain the file offset of the reference counter (format/ref_ctr_offset)
constexpr int kCounterShift = 32;

/// attaches one uprobe or uretprobe. Returns null and sets errno on failure.
std::unique_ptr<Attachment> attach_one_uprobe(int program, const AttachTarget& target, uint32_t type, bool at_return)
{
    perf_event_attr attr{};
    attr.size = sizeof attr;
    attr.type = type;
    // Bit 0 of the event's config requests a return probe (sysfs: format/retprobe).
    attr.config = (target.counter << kCounterShift) | at_return;
    const std::string path = living_path(target.where);
    attr.uprobe_path = reinterpret_cast<uintptr_t>(path.c_str());
    attr.probe_offset = target.address;
    return attach_probe_event(program, attr, target.process != 0 ? static_cast<pid_t>(target.process) : -1,
                              target.cookie);
}

class Uprobe final : public AttachMechanism {
public:
    explicit Uprobe(bool at_return) : at_return_(at_return) {}

    Result<Attached> attach(int program, const AttachPlan& plan, const AttachOptions& options) const override
    {
        const uint32_t type = probe_event_type("uprobe");
        if (type == 0)
            return Error{"cannot attach to functions of processes: the kernel has no uprobes (CONFIG_UPROBE_EVENTS)",
                         ENOTSUP};
        return attach_each(
            plan, options, name_of,
            [&](const AttachTarget& target) { return attach_one_uprobe(program, target, type, at_return_); },
            uprobe_refusal);
    }

    /// These times were measured in an emulated machine, while many events were released together.
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

// Attaches one program to many instructions of a file by one link (kernel 6.6). Attaching and detaching take
// microseconds per instruction; perf events would take milliseconds per instruction. A link is for a single file, and
// for a single process or all processes.
//
// libbpf supports this from version 1.3, but Debian 12 has version 1.1. So this file makes the system call itself. The
// argument is declared here as the beginning of union bpf_attr of Linux 6.6.

namespace {

constexpr uint32_t kAtReturn = 1; // BPF_F_UPROBE_MULTI_RETURN in the kernel's header

/// Argument of the system call: union bpf_attr, link_create.uprobe_multi (include/uapi/linux/bpf.h).
struct UprobeMultiLink {
    uint32_t program, target = 0, attach_type = abi::kTraceUprobeMulti, flags = 0;
    uint64_t path, offsets, counters, cookies;
    uint32_t count, multi_flags, process;
    uint32_t unused = 0;
};
static_assert(offsetof(UprobeMultiLink, path) == 16 && offsetof(UprobeMultiLink, count) == 48 &&
              sizeof(UprobeMultiLink) == 64);

uint64_t address(const void* memory)
{
    return reinterpret_cast<uintptr_t>(memory);
}

/// Makes a uprobe.multi link. Returns its descriptor or a negative errno.
int create(UprobeMultiLink link)
{
    const auto descriptor = static_cast<int>(syscall(SYS_bpf, BPF_LINK_CREATE, &link, sizeof link));
    return descriptor < 0 ? -errno : descriptor;
}

RefusalScope scope_of_places(int code)
{
    if (code == EPERM || code == EMFILE || code == ENOMEM)
        return RefusalScope::Kind;
    return code == ESRCH || code == ENOENT || code == EBADF || code == EACCES ? RefusalScope::Batch
                                                                              : RefusalScope::Some;
}

/// Instructions of one file, with the cookie and the counter of each. `counters` is empty if no instruction has a
/// counter.
struct Instructions {
    std::vector<uint64_t> offsets, counters;
};

/// Makes a link for a program that does nothing and runs in all processes. Returns a descriptor or a negative errno.
int create_empty(const std::string& file, const Instructions& at)
{
    const bpf_insn code[] = {{BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0}, {BPF_JMP | BPF_EXIT, 0, 0, 0, 0}};
    LIBBPF_OPTS(bpf_prog_load_opts, options);
    options.expected_attach_type = static_cast<bpf_attach_type>(abi::kTraceUprobeMulti);
    const int program = bpf_prog_load(BPF_PROG_TYPE_KPROBE, "dt_empty", "GPL", code, std::size(code), &options);
    if (program < 0)
        return program;
    const int link = create({static_cast<uint32_t>(program), 0, abi::kTraceUprobeMulti, 0, address(file.c_str()),
                             address(at.offsets.data()), at.counters.empty() ? 0 : address(at.counters.data()), 0,
                             static_cast<uint32_t>(at.offsets.size()), 0, 0});
    close(program);
    return link;
}

/// A link that fires in one process. The kernel compares the memory of the process's first thread when it places or
/// removes breakpoints. After that thread has ended, the comparison always fails. The kernel then places no further
/// breakpoints for the link, and removes the existing ones when any other user of the instruction detaches. The link's
/// program still runs at every breakpoint in the process, so an empty program for all processes keeps the breakpoints
/// in place.
class ProcessLink final : public Attachment {
public:
    /// Owns `descriptor` and `file`, an open descriptor of the instructions' file.
    ProcessLink(int descriptor, int64_t process, int file, Instructions at)
        : link_(descriptor), process_(process), file_(file), at_(std::move(at))
    {
    }
    ~ProcessLink() override
    {
        close(link_);
        close(file_);
        if (keeping_ >= 0)
            close(keeping_);
    }
    ProcessLink(const ProcessLink&) = delete;
    ProcessLink& operator=(const ProcessLink&) = delete;
    int link() const override { return link_; }
    int64_t process() const override { return process_; }

    int outlive_leader() override
    {
        if (keeping_ < 0)
            keeping_ = create_empty(path_of_descriptor(file_), at_);
        return keeping_ < 0 ? -keeping_ : 0;
    }

    static std::string path_of_descriptor(int file) { return "/proc/self/fd/" + std::to_string(file); }

private:
    int link_;
    int64_t process_;
    int file_;
    Instructions at_;
    int keeping_ = -1; ///< descriptor of the empty program's link, or a negative errno
};

/// Makes one link for instructions of one file and process. Returns 0 or an errno.
int link_instructions(int program, bool at_return, Batches::Targets first, std::size_t count, Attached& into)
{
    Instructions at;
    std::vector<uint64_t> cookies;
    bool counts = false;
    for (std::size_t i = 0; i < count; ++i) {
        at.offsets.push_back(first[i]->address);
        at.counters.push_back(first[i]->counter);
        cookies.push_back(first[i]->cookie);
        counts |= first[i]->counter != 0;
    }
    if (!counts)
        at.counters.clear();
    const int64_t process = (*first)->process;
    std::string path = living_path((*first)->where);
    const int file = process != 0 ? open(path.c_str(), O_PATH | O_CLOEXEC) : -1;
    if (process != 0 && file < 0)
        return errno;
    if (file >= 0)
        path = ProcessLink::path_of_descriptor(file); // opens the same file again, for the second link
    const int descriptor =
        create({static_cast<uint32_t>(program), 0, abi::kTraceUprobeMulti, 0, address(path.c_str()),
                address(at.offsets.data()), counts ? address(at.counters.data()) : 0, address(cookies.data()),
                static_cast<uint32_t>(count), at_return ? kAtReturn : 0, static_cast<uint32_t>(process)});
    if (descriptor < 0) {
        if (file >= 0)
            close(file);
        return -descriptor;
    }
    if (file >= 0)
        into.attachments.push_back(std::make_unique<ProcessLink>(descriptor, process, file, std::move(at)));
    else
        into.attachments.push_back(std::make_unique<DescriptorAttachment>(descriptor));
    return 0;
}

class UprobeMulti final : public AttachMechanism {
public:
    explicit UprobeMulti(bool at_return) : at_return_(at_return) {}

    Result<Attached> attach(int program, const AttachPlan& plan, const AttachOptions& options) const override
    {
        if (!knows_uprobe_multi(program))
            return Error{"the kernel has no uprobe.multi links (Linux 6.6 or later is needed)", ENOTSUP};
        const auto link = [this, program](Batches::Targets first, std::size_t count, Attached& into) {
            return link_instructions(program, at_return_, first, count, into);
        };
        std::map<std::pair<std::string, int64_t>, std::vector<const AttachTarget*>> links;
        for (const AttachTarget& target : plan.targets)
            links[{target.where, target.process}].push_back(&target);
        Batches batches(link, scope_of_places, uprobe_refusal);
        for (const auto& [file, targets] : links) {
            batches.attach(targets.data(), targets.size());
            if (batches.refused() != 0)
                return Error{"cannot attach to " + std::to_string(plan.targets.size()) +
                                 " functions of processes at once: " + std::strerror(batches.refused()),
                             batches.refused()};
            if (options.progress)
                options.progress(targets.size());
        }
        return batches.take();
    }

    /// Milliseconds to attach and to detach a probe, measured on Linux 6.18.
    AttachCost cost() const override { return {0.02, 0.05}; }

private:
    bool at_return_;
};

} // namespace

/// Detects the mechanism by trying to make a link with a path that does not name a regular file. Only a kernel without
/// uprobe.multi links returns EINVAL, before it looks at the path.
bool knows_uprobe_multi(int program)
{
    const uint64_t offset = 0;
    return create({static_cast<uint32_t>(program), 0, abi::kTraceUprobeMulti, 0, address("/"), address(&offset), 0, 0,
                   1, 0, 0}) != -EINVAL;
}

std::unique_ptr<Attachment> attach_uprobe(int program, const std::string& file, uint64_t offset, int64_t process)
{
    const AttachTarget target{file, 0, offset, nullptr, 0, process};
    const AttachTarget* const targets[] = {&target};
    Attached made;
    errno = link_instructions(program, false, targets, 1, made);
    return made.attachments.empty() ? nullptr : std::move(made.attachments.front());
}

const AttachMechanism& uprobe_multi_mechanism()
{
    static const UprobeMulti mechanism(false);
    return mechanism;
}

const AttachMechanism& uretprobe_multi_mechanism()
{
    static const UprobeMulti mechanism(true);
    return mechanism;
}

} // namespace dt::probes
