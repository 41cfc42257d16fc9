// Enforces a limit of a few bytes, sample by sample.
#include "libdtrace/consume/small_buffer.hpp"

#include "bpf-runtime/abi.h"
#include "dcompiler/probes.hpp"
#include "libdtrace/consume/retained.hpp"

namespace dt::consume {

uint64_t SmallBuffer::size_of(const Sample& sample)
{
    while (sizes_.size() < statements_.size())
        sizes_.push_back(traditional_size(statements_[sizes_.size()]));
    return sample.stmt < sizes_.size() ? sizes_[sample.stmt] : sample.size;
}

bool SmallBuffer::has_room(const Sample& sample)
{
    if (sample.spec != 0 || sample.probe == kEndProbe)
        return true;
    const uint64_t size = size_of(sample);
    if (!counts_)
        return size <= options_.bufsize;
    if (used_.size() <= sample.cpu)
        used_.resize(sample.cpu + 1);
    if (used_[sample.cpu] + size > options_.bufsize)
        return false;
    used_[sample.cpu] += size;
    return true;
}

} // namespace dt::consume
