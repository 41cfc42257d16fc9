// Measures how fast a CPU is at the moment.
#pragma once

#include <cstdint>
#include <map>

namespace dt {

/// Returns the ns of an untraced system call on a CPU: the median of some short runs. Moves the calling thread there
/// for about a tenth of a millisecond, and restores its affinity. 0: the thread may not run there.
double call_time_on(uint32_t cpu);

/// Returns the ns that a thousand times four independent additions take on the current CPU. If a busy thread shares the
/// core they take 1.5 to 2 times as long. Tracing does not affect them.
double pace_here();

/// Returns the median of some runs of pace_here() on a CPU. Moves the calling thread there for a hundredth of a
/// millisecond. 0: the thread may not run there.
double pace_on(uint32_t cpu);

/// Cache of pace_on() for each CPU, shared by all traces of a process. Moving a thread takes as long as one pass over
/// all of them.
class Paces {
public:
    /// Returns the speed of a CPU, measured at most `holds` ns before `now` (CLOCK_MONOTONIC ns). 0: unknown.
    double on(uint32_t cpu, uint64_t now, uint64_t holds);

private:
    struct Pace {
        uint64_t asked = 0;
        double ns = 0;
    };
    std::map<uint32_t, Pace> known_;
};

} // namespace dt
