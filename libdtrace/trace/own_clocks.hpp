// tick-N and profile-N of a trace without rights in the kernel: the tracer looks at the clock, and has the clauses run
// in a program. Once for all CPUs, and no more often than it looks: each millisecond.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dcompiler/object/schema.hpp"

namespace dt {

class OwnClocks {
public:
    /// Those of the schema's programs that are run by hand, and by the clock. `now`: CLOCK_MONOTONIC ns.
    void begin(const Schema& schema, uint64_t now);

    /// CLOCK_MONOTONIC ns; UINT64_MAX: never.
    uint64_t due() const;
    /// Full names of the probes that are due, each once: what was not looked at in time is not made up for.
    std::vector<std::string> take(uint64_t now);

private:
    struct Clock {
        std::string probe;
        uint64_t period = 0, due = 0; ///< ns
    };
    std::vector<Clock> clocks_;
};

} // namespace dt
