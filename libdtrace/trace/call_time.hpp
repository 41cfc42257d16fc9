// How fast a CPU is at the moment.
#pragma once

#include <cstdint>
#include <map>

namespace dt {

/// Ns that a system call takes on this CPU while nobody traces it: the middle of some short runs. The calling thread
/// goes there for about a tenth of a millisecond, and may go where it might before. 0: it may not go there.
double call_time_on(uint32_t cpu);

/// Ns that a thousand times four additions take here and now, which do not wait for each other. A core that is shared
/// with another thread which is busy takes half as long again, or twice as long; tracers make no difference to it.
double pace_here();

/// The same there, the middle of some: the calling thread goes there for a hundredth of a millisecond. 0: it may not.
double pace_on(uint32_t cpu);

/// What pace_on() said of each CPU when it was asked last. Traces beside each other ask one of these: to move a thread
/// there and back takes as long as a look at all of them.
class Paces {
public:
    /// `now`: CLOCK_MONOTONIC, ns. What is younger than `holds` is told again. 0: it is not known.
    double on(uint32_t cpu, uint64_t now, uint64_t holds);

private:
    struct Pace {
        uint64_t asked = 0;
        double ns = 0;
    };
    std::map<uint32_t, Pace> known_;
};

} // namespace dt
