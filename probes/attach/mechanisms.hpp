// Declares the mechanisms, and their common helpers. The other files of this folder define the mechanisms, one file for
// each kind of hook.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <functional>

#include "probes/attach/attach.hpp"

namespace dt::probes {

/// A link that this process created. Closing its descriptor detaches the program.
class DescriptorAttachment final : public Attachment {
public:
    explicit DescriptorAttachment(int descriptor) : descriptor_(descriptor) {}
    ~DescriptorAttachment() override { close(descriptor_); }
    int link() const override { return descriptor_; }

private:
    int descriptor_;
};

/// Returns the result of a successful attaching: `attachment`, without refused targets.
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
const AttachMechanism& iterator_mechanism();
const AttachMechanism& uprobe_mechanism();
const AttachMechanism& uretprobe_mechanism();
const AttachMechanism& uprobe_multi_mechanism();
const AttachMechanism& uretprobe_multi_mechanism();

// Attaches many targets by few links. The kernel accepts either all targets of a link or none. So a refused batch is
// halved until the refused targets are found; the others are attached by several links.

/// Scope of a refusal: the targets that the kernel has refused with an errno.
enum class RefusalScope {
    Kind,  ///< no target can be attached, because this mechanism is unavailable
    Batch, ///< all targets of the batch are refused
    Some,  ///< at least one target of the batch is refused
};

class Batches {
public:
    using Targets = const AttachTarget* const*;
    /// Function that makes one link for `count` targets. Returns 0, or the errno if no link could be made.
    using Try = std::function<int(Targets first, std::size_t count, Attached& into)>;

    /// `scope` says which targets an errno concerns. `refusal` creates a Refusal from an errno; this class adds the
    /// target to it.
    Batches(Try try_attach, RefusalScope (*scope)(int), Refusal (*refusal)(int))
        : try_(std::move(try_attach)), scope_(scope), refusal_(refusal)
    {
    }

    void attach(Targets first, std::size_t count);
    /// Records the refusal of a target that the caller did not try to attach.
    void refuse(const AttachTarget* target, int code);

    /// Returns the errno with which the kernel refused the whole mechanism (RefusalScope::Kind); 0 if the kernel did
    /// not refuse it.
    int refused() const { return refused_; }
    std::size_t links() const { return result_.attachments.size(); }
    Attached take() { return std::move(result_); }

private:
    Try try_;
    RefusalScope (*scope_)(int);
    Refusal (*refusal_)(int);
    Attached result_;
    int refused_ = 0;
};

} // namespace dt::probes
