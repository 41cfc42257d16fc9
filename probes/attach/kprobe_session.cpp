// Attaches one program to the entry and return of functions, with a word that the kernel keeps for each call (kernel
// 6.10). The alternative is a hash map, whose locks are functions that may have probes themselves.
//
// libbpf supports it from 1.5, but Debian 12 has 1.1. So this file makes the system call; its argument is the beginning
// of union bpf_attr of 6.10.
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "base/kernel_abi.hpp"
#include "probes/attach/batches.hpp"
#include "probes/attach/mechanisms.hpp"

namespace dt::probes {
namespace {

/// union bpf_attr, link_create.kprobe_multi (include/uapi/linux/bpf.h).
struct SessionLink {
    uint32_t program, target = 0;
    uint32_t attach_type = abi::kTraceKprobeSession;
    uint32_t flags = 0, multi_flags = 0, count;
    uint64_t symbols, addresses = 0, cookies;
};
static_assert(offsetof(SessionLink, symbols) == 24 && sizeof(SessionLink) == 48);

Blame blame_of_session(int code)
{
    return code == ENOENT || code == ESRCH ? Blame::Some : Blame::Kind;
}

Refusal session_refusal(int code)
{
    return {nullptr, code == ENOENT || code == ESRCH ? "the kernel allows no probe there" : std::strerror(code), false};
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
                        blame_of_session, session_refusal);
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
            return Error{"cannot attach to kernel function " + plan.targets.front().where + ": " +
                             (result.refusals.empty() ? std::strerror(code) : result.refusals.front().reason),
                         code};
        if (plan.alternatives)
            result.refusals.clear();
        return result;
    }

    /// Returns the times of kprobe.multi, which apply here too.
    AttachCost cost() const override { return {0.2, 0.09}; }
};

} // namespace

const AttachMechanism& kprobe_session_mechanism()
{
    static const KprobeSession mechanism;
    return mechanism;
}

} // namespace dt::probes
