// Attaches fentry and fexit programs: the function calls the program through a trampoline that the kernel makes for its
// prototype (BPF_RAW_TRACEPOINT_OPEN). The function was given when the program was loaded.
#include <bpf/bpf.h>

#include <cstring>

#include "probes/attach/mechanisms.hpp"

namespace dt::probes {
namespace {

class Trampoline final : public AttachMechanism {
public:
    Result<Attached> attach(int program, const AttachPlan& plan, const AttachOptions&) const override
    {
        const int link = bpf_raw_tracepoint_open(nullptr, program);
        if (link >= 0)
            return attached(std::make_unique<DescriptorAttachment>(link));
        return Error{"cannot attach to kernel function " + plan.targets.front().where + ": " + std::strerror(-link),
                     -link};
    }

    /// Measured in the emulated guest; the time is waiting for grace periods.
    AttachCost cost() const override { return {130, 140}; }
};

} // namespace

const AttachMechanism& trampoline_mechanism()
{
    static const Trampoline mechanism;
    return mechanism;
}

} // namespace dt::probes
