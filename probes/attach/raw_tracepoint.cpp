// Raw tracepoints: BPF_RAW_TRACEPOINT_OPEN by name, or where the program is made for one, by the program. The link is
// one descriptor; closing it detaches in 0.1 ms.
#include <bpf/libbpf.h>

#include <cstring>

#include "probes/attach/mechanisms.hpp"

namespace dt::probes {
namespace {

class RawTracepoint final : public AttachMechanism {
public:
    Result<Attached> attach(bpf_program* program, const AttachPlan& plan, const AttachOptions&) const override
    {
        const AttachTarget& target = plan.targets.front();
        bpf_link* link = bpf_program__attach_raw_tracepoint(program, target.where.c_str());
        if (!link && target.probe) { // which may be one of many that a pattern covers
            Attached result;
            result.refusals.push_back({&target, std::strerror(errno)});
            return result;
        }
        if (!link) {
            const int code = errno;
            return Error{"cannot attach to tracepoint " + target.where + ": " + std::strerror(code), code};
        }
        return attached(std::make_unique<LinkAttachment>(link));
    }
};

/// The target was named when the program was loaded.
class TypedTracepoint final : public AttachMechanism {
public:
    Result<Attached> attach(bpf_program* program, const AttachPlan& plan, const AttachOptions&) const override
    {
        if (bpf_link* const link = bpf_program__attach_trace(program))
            return attached(std::make_unique<LinkAttachment>(link));
        const int code = errno;
        return Error{"cannot attach to tracepoint " + plan.targets.front().where + ": " + std::strerror(code), code};
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
