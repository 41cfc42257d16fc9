#pragma once

#include <sys/types.h>

namespace dt {

/// From now on the calling thread runs there alone. false: there is no such CPU, or it may not be used.
bool stay_on_cpu(int cpu);

/// A child that has work all the time, on the CPU whose threads share a core with those of `cpu`; where the machine
/// does not tell, as a virtual one, on the CPU beside it. It takes nobody's time, and ends with this object.
///
/// When the constructor returns it holds no file of its parent's any more: a link that two processes hold is still
/// attached when one of them has closed it, and what a call takes without a trace would be measured with one.
class BusyNeighbour {
public:
    explicit BusyNeighbour(int cpu);
    ~BusyNeighbour();
    BusyNeighbour(const BusyNeighbour&) = delete;
    BusyNeighbour& operator=(const BusyNeighbour&) = delete;

    bool is_there() const { return pid_ > 0; } ///< not where there is one CPU

private:
    pid_t pid_ = -1;
};

} // namespace dt
