// Code before the clauses of ERROR, in the function that a faulting clause calls.
#pragma once

#include "dcompiler/lower/context.hpp"

namespace dt::lower {

/// Sends struct dt_fault in a sample of its own, from which the consumer prints the error line.
void report_fault(Context& context);

/// Counts a sample written to a principal buffer with -x pin, because the tracer may die before it reads the sample.
void note_sent(Context& context);

/// Frees the scratch memory of ERROR, which may have fired before in the same firing of another probe.
void free_area(Context& context);

} // namespace dt::lower
