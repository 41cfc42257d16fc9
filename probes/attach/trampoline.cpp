// fentry and fexit: the function calls the program through a trampoline that the kernel makes for its prototype
// (BPF_LINK_CREATE). The target was named when the program was loaded.
#include <bpf/libbpf.h>

#include <cerrno>
#include <cstring>

#include "probes/attach/mechanisms.hpp"

namespace dt::probes {
namespace {

class Trampoline final : public AttachMechanism {
public:
    Result<Attached> attach(bpf_program* program, const AttachPlan& plan, const AttachOptions&) const override
    {
        if (bpf_link* const link = bpf_program__attach_trace(program))
            return attached(std::make_unique<LinkAttachment>(link));
        const int code = errno;
        return Error{"cannot attach to kernel function " + plan.targets.front().where + ": " + std::strerror(code),
                     code};
    }

    /// In the emulated guest: waiting for grace periods.
    AttachCost cost() const override { return {130, 140}; }
};

} // namespace

const AttachMechanism& trampoline_mechanism()
{
    static const Trampoline mechanism;
    return mechanism;
}

} // namespace dt::probes
