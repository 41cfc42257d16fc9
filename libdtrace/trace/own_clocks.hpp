// Timer probes (tick-N, profile-N) of an unprivileged trace. The tracer checks the time itself, and lets a process with
// an engine run the clauses. A probe fires once for all CPUs, at most once each millisecond.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dcompiler/object/schema.hpp"

namespace dt {

class OwnClocks {
public:
    /// Starts the timers of the schema's programs that the tracer runs itself. `now` is CLOCK_MONOTONIC ns.
    void begin(const Schema& schema, uint64_t now);

    /// Returns when the next timer is due (CLOCK_MONOTONIC ns); UINT64_MAX: never.
    uint64_t due() const;
    /// Returns the full names of the probes that are due. A probe that missed several periods is listed once.
    std::vector<std::string> take(uint64_t now);

private:
    struct Clock {
        std::string probe;
        uint64_t period = 0, due = 0; ///< period and next time of the timer, in ns
    };
    std::vector<Clock> clocks_;
};

} // namespace dt
