// The kernel takes all targets of a link or none. So a batch that is refused is halved until the refused targets are
// alone; the others then hang on several links.
#pragma once

#include <cstddef>
#include <functional>

#include "probes/attach/attach.hpp"

namespace dt::probes {

/// What an errno of the kernel blames.
enum class Blame {
    Kind,  ///< no target is at fault: it will have nothing of this mechanism
    Batch, ///< all of the targets alike
    Some,  ///< one of them at least
};

class Batches {
public:
    using Targets = const AttachTarget* const*;
    /// Makes one link for `count` targets. 0, or an errno and no link.
    using Try = std::function<int(Targets first, std::size_t count, Attached& into)>;

    /// `refusal`: of an errno, without the target.
    Batches(Try try_attach, Blame (*blame)(int), Refusal (*refusal)(int))
        : try_(std::move(try_attach)), blame_(blame), refusal_(refusal)
    {
    }

    void attach(Targets first, std::size_t count);
    /// Of a target that is not tried.
    void refuse(const AttachTarget* target, int code);

    /// The errno with which the kernel refused more than some targets; 0: it did not.
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
