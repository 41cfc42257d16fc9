// Random well-typed D programs. Equal seeds give equal programs on every machine.
#pragma once

#include "test/verify/differential/program.hpp"

namespace dt::differential {

/// Features of D that generated programs may use.
struct Wanted {
    bool texts = true;       ///< whether programs may use strings
    bool subroutines = true; ///< programs may call strjoin() and similar subroutines
    bool aggregations = true;
    bool short_texts = false; ///< only one program in eight has strings of the default size
    bool faults = true;       ///< divisors may be 0 at run time, and indices outside the array
};

Program generate(uint64_t seed, const Wanted& wanted = {});

} // namespace dt::differential
