// Kprobes and kretprobes one by one: a perf event for each function, with its cookie. libbpf finds out how this kernel wants them opened, and
// falls back to tracefs' kprobe_events where it wants nothing newer.
#include <bpf/libbpf.h>

#include <cerrno>
#include <cstring>

#include "probes/attach/mechanisms.hpp"

namespace dt::probes {
namespace {

std::string reason_of(int code, bool overrides)
{
    std::string reason = std::strerror(code);
    if (overrides && code == EINVAL)
        reason += " (the kernel does not list it as one whose result may be replaced)";
    else if (code == EMFILE)
        reason += " (raise the limit of open files: ulimit -n)";
    else if (code == EADDRNOTAVAIL || code == ENOENT || code == EINVAL)
        reason += " (the kernel allows no probe there)";
    return reason;
}

class Kprobe final : public AttachMechanism {
public:
    explicit Kprobe(bool at_return) : at_return_(at_return) {}

    Result<Attached> attach(bpf_program* program, const AttachPlan& plan, const AttachOptions&) const override
    {
        Attached result;
        int code = 0;
        for (const AttachTarget& target : plan.targets) {
            LIBBPF_OPTS(bpf_kprobe_opts, options);
            options.bpf_cookie = target.cookie;
            options.retprobe = at_return_;
            if (bpf_link* link = bpf_program__attach_kprobe_opts(program, target.where.c_str(), &options)) {
                result.attachments.push_back(std::make_unique<LinkAttachment>(link));
                if (!plan.alternatives)
                    continue;
                result.refusals.clear();
                break;
            }
            code = errno;
            result.refusals.push_back({&target, reason_of(code, plan.overrides)});
        }
        if (result.attachments.empty())
            return Error{"cannot attach to kernel function " + plan.targets.front().where + ": " + result.refusals.front().reason, code};
        return result;
    }

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
