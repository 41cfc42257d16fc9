// Attaches kprobes and kretprobes by three mechanisms: a perf event for each function, one link for many functions, or
// one link for entry and return. Which of these mechanisms are available depends on the kernel's version.
#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "base/kernel_abi.hpp"
#include "probes/attach/mechanisms.hpp"
#include "probes/attach/probe_event.hpp"

namespace dt::probes {
namespace {

// Attaches kprobes and kretprobes one by one: a perf event for each function, with its cookie. The event is opened by
// the function's address if the address is known (perf_event_open(2): kprobe_func null, kprobe_addr), else by its name.

std::string reason_of(int code, bool overrides)
{
    std::string reason = std::strerror(code);
    // checked before the errno: on a locked-down kernel, different ways of attaching a kprobe fail with different
    // errnos
    if (is_locked_down())
        return std::string(kLockedDown) + " and allows no kprobes";
    if (overrides && code == EINVAL)
        reason += " (the kernel does not allow replacing the result of this function)";
    else if (code == EMFILE)
        reason += " (raise the limit of open files: ulimit -n)";
    else if (code == EADDRNOTAVAIL || code == ENOENT || code == EINVAL)
        reason += " (the kernel does not allow a probe at this address)";
    return reason;
}

std::string function_name(const AttachTarget& target)
{
    return "kernel function " + target.where;
}

/// Attaches one kprobe or kretprobe. Returns null and sets errno on failure.
std::unique_ptr<Attachment> attach_one_kprobe(int program, const AttachTarget& target, uint32_t type, bool at_return)
{
    perf_event_attr attr{};
    attr.size = sizeof attr;
    attr.type = type;
    attr.config = at_return; // bit 0 of the event's config requests a return probe (sysfs: format/retprobe)
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
        const uint32_t type = probe_event_type("kprobe");
        if (type == 0)
            return Error{std::string(kNoKprobes), ENOENT};
        return attach_each(
            plan, options, function_name,
            [&](const AttachTarget& target) { return attach_one_kprobe(program, target, type, at_return_); },
            [&plan](int code) {
                return Refusal{nullptr, reason_of(code, plan.overrides)};
            });
    }

    /// These times were measured in an emulated machine. Most of the time is spent waiting for the kernel's grace
    /// periods; many events are released together.
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

// Attaches one program to many functions by one link (kernel 5.18 with CONFIG_FPROBE). Attaching and detaching take
// microseconds per function; perf events would take tens of milliseconds per function.

namespace {

/// Classifies an errno of an attempt to link functions. EINVAL may be caused by single functions of a batch, so a batch
/// that fails with EINVAL is halved.
RefusalScope scope_of_functions(int code)
{
    return code == EOPNOTSUPP || code == EPERM || code == EMFILE || code == ENOMEM ? RefusalScope::Kind
                                                                                   : RefusalScope::Some;
}

Refusal function_refusal(int code)
{
    const bool always = code == ENOENT || code == ESRCH || code == EINVAL;
    return {nullptr, always ? "the kernel does not allow a probe at this address" : std::strerror(code), always};
}

/// Detects the mechanism by trying to make a link with names in unreadable memory. A kernel without links for many
/// functions returns EINVAL before it reads the names.
bool knows_kprobe_multi(int program)
{
    LIBBPF_OPTS(bpf_link_create_opts, options);
    options.kprobe_multi.syms = reinterpret_cast<const char**>(1);
    options.kprobe_multi.cnt = 1;
    return bpf_link_create(program, 0, BPF_TRACE_KPROBE_MULTI, &options) != -EINVAL;
}

/// Makes one link for `count` functions. Either all of them or none of them must have addresses. Returns 0 or an errno.
int link_functions(int program, bool at_return, Batches::Targets first, std::size_t count, Attached& into)
{
    std::vector<const char*> names;
    std::vector<unsigned long> addresses;
    std::vector<__u64> cookies;
    for (std::size_t i = 0; i < count; ++i) {
        names.push_back(first[i]->where.c_str());
        addresses.push_back(first[i]->address);
        cookies.push_back(first[i]->cookie);
    }
    LIBBPF_OPTS(bpf_link_create_opts, options);
    if ((*first)->address != 0)
        options.kprobe_multi.addrs = addresses.data();
    else
        options.kprobe_multi.syms = names.data();
    options.kprobe_multi.cookies = cookies.data();
    options.kprobe_multi.cnt = static_cast<uint32_t>(count);
    options.kprobe_multi.flags = at_return ? BPF_F_KPROBE_MULTI_RETURN : 0;
    const int link = bpf_link_create(program, 0, BPF_TRACE_KPROBE_MULTI, &options);
    if (link == -EINVAL && !knows_kprobe_multi(program))
        return EOPNOTSUPP;
    if (link < 0)
        return -link;
    into.attachments.push_back(std::make_unique<DescriptorAttachment>(link));
    return 0;
}

class KprobeMulti final : public AttachMechanism {
public:
    explicit KprobeMulti(bool at_return) : at_return_(at_return) {}

    Result<Attached> attach(int program, const AttachPlan& plan, const AttachOptions& options) const override
    {
        const auto link = [this, program](Batches::Targets first, std::size_t count, Attached& into) {
            return link_functions(program, at_return_, first, count, into);
        };
        Batches batches(link, scope_of_functions, function_refusal);
        // makes a link for the functions with addresses and another for those without: for a link, the kernel accepts
        // either only addresses or only names
        for (const bool by_address : {true, false}) {
            std::vector<const AttachTarget*> targets;
            for (const AttachTarget& target : plan.targets)
                if ((target.address != 0) == by_address && by_address && options.was_refused &&
                    options.was_refused(target.address))
                    batches.refuse(&target, EINVAL);
                else if ((target.address != 0) == by_address)
                    targets.push_back(&target);
            if (!targets.empty() && batches.refused() == 0)
                batches.attach(targets.data(), targets.size());
            if (options.progress)
                options.progress(targets.size());
        }
        Attached result = batches.take();
        if (batches.refused() != 0 || result.attachments.empty()) {
            const int code = batches.refused() != 0 ? batches.refused() : EINVAL;
            return Error{"cannot attach to " + std::to_string(plan.targets.size()) +
                             " kernel functions at once: " + std::strerror(code),
                         code};
        }
        return result;
    }

    /// These times were measured in an emulated machine; real hardware is about ten times as fast.
    AttachCost cost() const override { return {0.2, 0.09}; }

private:
    bool at_return_;
};

} // namespace

const AttachMechanism& kprobe_multi_mechanism()
{
    static const KprobeMulti mechanism(false);
    return mechanism;
}

const AttachMechanism& kretprobe_multi_mechanism()
{
    static const KprobeMulti mechanism(true);
    return mechanism;
}

// Attaches one program to the entry and return of functions, with a word of data that the kernel stores for each call
// (kernel 6.10). Without this mechanism, the word must be stored in a hash map, whose locking functions may have probes
// themselves.
//
// libbpf supports this from version 1.5, but Debian 12 has version 1.1. So this file makes the system call itself. The
// argument is declared here as the beginning of union bpf_attr of Linux 6.10.

namespace {

/// Argument of the system call: union bpf_attr, link_create.kprobe_multi (include/uapi/linux/bpf.h).
struct SessionLink {
    uint32_t program, target = 0;
    uint32_t attach_type = abi::kTraceKprobeSession;
    uint32_t flags = 0, multi_flags = 0, count;
    uint64_t symbols, addresses = 0, cookies;
};
static_assert(offsetof(SessionLink, symbols) == 24 && sizeof(SessionLink) == 48);

RefusalScope scope_of_session(int code)
{
    return code == ENOENT || code == ESRCH ? RefusalScope::Some : RefusalScope::Kind;
}

Refusal session_refusal(int code)
{
    return {nullptr,
            code == ENOENT || code == ESRCH ? "the kernel does not allow a probe at this address" : std::strerror(code),
            false};
}

/// Makes one link for functions by their names. Returns 0 or an errno.
int link_functions(int program, Batches::Targets first, std::size_t count, Attached& into)
{
    std::vector<const char*> names;
    std::vector<uint64_t> cookies;
    for (std::size_t i = 0; i < count; ++i) {
        names.push_back(first[i]->where.c_str());
        cookies.push_back(first[i]->cookie);
    }
    SessionLink link{
        .program = static_cast<uint32_t>(program), .count = static_cast<uint32_t>(count), .symbols = 0, .cookies = 0};
    link.symbols = reinterpret_cast<uintptr_t>(names.data());
    link.cookies = reinterpret_cast<uintptr_t>(cookies.data());
    const auto descriptor = static_cast<int>(syscall(SYS_bpf, BPF_LINK_CREATE, &link, sizeof link));
    if (descriptor < 0)
        return errno;
    into.attachments.push_back(std::make_unique<DescriptorAttachment>(descriptor));
    return 0;
}

class KprobeSession final : public AttachMechanism {
public:
    Result<Attached> attach(int program, const AttachPlan& plan, const AttachOptions& options) const override
    {
        Batches batches([program](Batches::Targets first, std::size_t count,
                                  Attached& into) { return link_functions(program, first, count, into); },
                        scope_of_session, session_refusal);
        std::vector<const AttachTarget*> targets;
        for (const AttachTarget& target : plan.targets)
            targets.push_back(&target);
        if (plan.alternatives)
            for (auto each = targets.begin(); each != targets.end() && batches.links() == 0 && batches.refused() == 0;
                 ++each)
                batches.attach(&*each, 1);
        else
            batches.attach(targets.data(), targets.size());
        if (options.progress)
            options.progress(targets.size());
        const bool none = batches.links() == 0;
        const int code = batches.refused() != 0 ? batches.refused() : ENOENT;
        Attached result = batches.take();
        if (none)
            return Error{"cannot attach to " + function_name(plan.targets.front()) + ": " +
                             (result.refusals.empty() ? std::strerror(code) : result.refusals.front().reason),
                         code};
        if (plan.alternatives)
            result.refusals.clear();
        return result;
    }

    /// returns the times of kprobe.multi, which are also valid for this mechanism
    AttachCost cost() const override { return {0.2, 0.09}; }
};

} // namespace

const AttachMechanism& kprobe_session_mechanism()
{
    static const KprobeSession mechanism;
    return mechanism;
}

} // namespace dt::probes
