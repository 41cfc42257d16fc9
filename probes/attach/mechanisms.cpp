// Attaches many targets by few links, and finds the targets that the kernel refuses by halving batches. For a batch
// that can be halved n times and contains r refused targets, this needs at most 2 * r * n attempts.
#include "probes/attach/mechanisms.hpp"

namespace dt::probes {

void Batches::refuse(const AttachTarget* target, int code)
{
    result_.refusals.push_back(refusal_(code));
    result_.refusals.back().target = target;
}

void Batches::attach(Targets first, std::size_t count)
{
    const int code = try_(first, count, result_);
    if (code == 0)
        return;
    const RefusalScope blame = scope_(code);
    if (blame == RefusalScope::Kind) {
        refused_ = code;
        return;
    }
    if (count == 1 || blame == RefusalScope::Batch) {
        for (std::size_t i = 0; i < count; ++i)
            refuse(first[i], code);
        return;
    }
    attach(first, count / 2);
    if (refused_ == 0)
        attach(first + count / 2, count - count / 2);
}

} // namespace dt::probes
