// Random well-typed D programs. Equal seeds give equal programs on every machine.
#pragma once

#include "test/verify/differential/program.hpp"

namespace dt::differential {

/// Features of generated programs.
struct Wanted {
    bool texts = true;       ///< any strings
    bool subroutines = true; ///< strjoin() and similar ones
    bool aggregations = true;
    bool faults = true; ///< divisors and indices that may be invalid at run time
};

Program generate(uint64_t seed, const Wanted& wanted = {});

} // namespace dt::differential
