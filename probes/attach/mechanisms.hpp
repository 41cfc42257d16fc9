// Declares the mechanisms, each defined in the file of its name, and their common helpers.
#pragma once

#include <unistd.h>

#include "probes/attach/attach.hpp"

namespace dt::probes {

/// A link that this process made; closing its descriptor detaches the program.
class DescriptorAttachment final : public Attachment {
public:
    explicit DescriptorAttachment(int descriptor, int64_t process = 0) : descriptor_(descriptor), process_(process) {}
    ~DescriptorAttachment() override { close(descriptor_); }
    int link() const override { return descriptor_; }
    int64_t process() const override { return process_; }

private:
    int descriptor_;
    int64_t process_;
};

/// Returns a result with one attachment and no refusals.
inline Attached attached(std::unique_ptr<Attachment> attachment)
{
    Attached result;
    result.attachments.push_back(std::move(attachment));
    return result;
}

const AttachMechanism& raw_tracepoint_mechanism();
const AttachMechanism& typed_tracepoint_mechanism();
const AttachMechanism& perf_event_mechanism();
const AttachMechanism& kprobe_mechanism();
const AttachMechanism& kretprobe_mechanism();
const AttachMechanism& kprobe_multi_mechanism();
const AttachMechanism& kretprobe_multi_mechanism();
const AttachMechanism& kprobe_session_mechanism();
const AttachMechanism& trampoline_mechanism();
const AttachMechanism& fentry_multi_mechanism();
const AttachMechanism& tracepoint_mechanism();
const AttachMechanism& uprobe_mechanism();
const AttachMechanism& uretprobe_mechanism();
const AttachMechanism& uprobe_multi_mechanism();
const AttachMechanism& uretprobe_multi_mechanism();

} // namespace dt::probes
