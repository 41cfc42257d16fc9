// What comes in front of the clauses of ERROR, in the function that a faulting clause calls.
#pragma once

#include "dcompiler/lower/context.hpp"

namespace dt::lower {

/// Sends struct dt_fault in a sample of its own; the consumer prints the error line.
void report_fault(Context& context);

/// A principal buffer has taken a sample: with -x pin it is counted, as the tracer may die before it reads it.
void note_sent(Context& context);

/// ERROR may have fired before in this firing of another probe: its scratch memory ends with each of its own.
void free_area(Context& context);

} // namespace dt::lower
