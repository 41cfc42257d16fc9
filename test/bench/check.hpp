// Check that all programs of a cost table row do the same work: each traces a loop of known length, and its output is
// summed.
#pragma once

#include "test/bench/rows.hpp"

namespace dt::bench {

/// Returns the number of the system call that the check traces instead of getppid: cheap, without effects, and used by
/// no other program.
long checked_call();

/// Checks the D and C programs of every row, with `peers` also the bpftrace programs, and prints differences. Returns
/// an exit status: 77 if this machine cannot trace.
int check_cost_rows(const Bench& bench, bool peers);

} // namespace dt::bench
