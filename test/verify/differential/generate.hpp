// Random well-typed D programs: the same program for the same seed on every machine.
#pragma once

#include "test/verify/differential/program.hpp"

namespace dt::differential {

/// What generated programs may use.
struct Wanted {
    bool texts = true;       ///< strings at all
    bool subroutines = true; ///< strjoin() and its like
    bool aggregations = true;
    bool faults = true; ///< divisors and indices that may be bad at run time
};

Program generate(uint64_t seed, const Wanted& wanted = {});

} // namespace dt::differential
