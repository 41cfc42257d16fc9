// Whether the programs of a row of the cost table do the same: each traces a loop of known length, and what it shows is
// added up.
#pragma once

#include "test/bench/rows.hpp"

namespace dt::bench {

/// The system call that the check traces in place of getppid: cheap, without effect, and made by nobody else.
long checked_call();

/// Checks D and C of every row, with `peers` bpftrace's too, and prints what differs. An exit status: 77 where this
/// machine cannot trace.
int check_cost_rows(const Bench& bench, bool peers);

} // namespace dt::bench
