// Check of the cost table: all programs of a row must do the same work. Each program traces a loop of known length, and
// the numbers that it prints are added up.
#pragma once

#include "test/bench/rows.hpp"

namespace dt::bench {

/// Returns the number of the system call that the check traces instead of getppid: cheap, without effects, and used by
/// no other program.
long checked_call();

/// Runs the D and C programs of every row, with `peers` also the bpftrace programs. Prints the counts that differ from
/// the expected count. Returns an exit status; 77 if this machine cannot trace.
int check_cost_rows(const Bench& bench, bool peers);

} // namespace dt::bench
