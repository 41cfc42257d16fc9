// Attaches many targets by few links. The kernel accepts all targets of a link or none. So a refused batch is halved
// until the refused targets are found; the others are attached by several links.
#pragma once

#include <cstddef>
#include <functional>

#include "probes/attach/attach.hpp"

namespace dt::probes {

/// The cause of an errno.
enum class Blame {
    Kind,  ///< no target: this mechanism is unavailable
    Batch, ///< all targets of the batch
    Some,  ///< at least one target
};

class Batches {
public:
    using Targets = const AttachTarget* const*;
    /// Makes one link for `count` targets. Returns 0, or an errno without making a link.
    using Try = std::function<int(Targets first, std::size_t count, Attached& into)>;

    /// `refusal` makes a Refusal without a target from an errno.
    Batches(Try try_attach, Blame (*blame)(int), Refusal (*refusal)(int))
        : try_(std::move(try_attach)), blame_(blame), refusal_(refusal)
    {
    }

    void attach(Targets first, std::size_t count);
    /// Records a target that is not tried.
    void refuse(const AttachTarget* target, int code);

    /// Returns the errno of a refusal that concerns more than single targets; 0 if there was none.
    int refused() const { return refused_; }
    std::size_t links() const { return result_.attachments.size(); }
    Attached take() { return std::move(result_); }

private:
    Try try_;
    Blame (*blame_)(int);
    Refusal (*refusal_)(int);
    Attached result_;
    int refused_ = 0;
};

} // namespace dt::probes
