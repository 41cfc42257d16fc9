// Kprobes: at the entry of one kernel function, by name. libbpf finds out how this kernel wants them opened.
#include <bpf/libbpf.h>

#include <cstring>

#include "probes/attach/mechanisms.hpp"

namespace dt::probes {
namespace {

class Kprobe final : public AttachMechanism {
public:
    Result<std::unique_ptr<Attachment>> attach(bpf_program* program, const Hook& hook, const AttachOptions&) const override
    {
        bpf_link* link = bpf_program__attach_kprobe(program, false, hook.target.c_str());
        if (!link) {
            const int code = errno;
            std::string message = "cannot attach to kernel function " + hook.target + ": " + std::strerror(code);
            if (hook.overrides && code == EINVAL)
                message += " (the kernel does not list it as one whose result may be replaced)";
            return Error{std::move(message), code};
        }
        return std::unique_ptr<Attachment>(std::make_unique<LinkAttachment>(link));
    }

    bool is_preemptible() const override { return false; }
};

} // namespace

const AttachMechanism& kprobe_mechanism()
{
    static const Kprobe mechanism;
    return mechanism;
}

} // namespace dt::probes
