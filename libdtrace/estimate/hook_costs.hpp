#pragma once

#include <sys/types.h>

namespace dt {

/// Pins the calling thread to the CPU. Returns false if the CPU does not exist or is not allowed.
bool stay_on_cpu(int cpu);

/// A child process that spins at idle priority on the sibling thread of `cpu`'s core, to measure under load. Without
/// topology information (virtual machines) it uses the other CPU of the pair. The destructor ends it.
///
/// When the constructor returns, the child has closed all inherited descriptors. A BPF link stays attached while any
/// process holds it, so an inherited link would distort the measurements without a trace.
class BusyNeighbour {
public:
    explicit BusyNeighbour(int cpu);
    ~BusyNeighbour();
    BusyNeighbour(const BusyNeighbour&) = delete;
    BusyNeighbour& operator=(const BusyNeighbour&) = delete;

    bool is_there() const { return pid_ > 0; } ///< false if only one CPU exists

private:
    pid_t pid_ = -1;
};

} // namespace dt
