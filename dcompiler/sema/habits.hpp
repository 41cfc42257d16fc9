// What programs for other systems take for granted and is otherwise on Linux: they compile and run, and would report
// nonsense in silence.
#pragma once

#include "dcompiler/sema/program.hpp"

namespace dt::sema {

class Checker;

/// A comparison for equality: one of the result of a system call with -1 is noted, once a program.
void note_comparison(Checker& checker, const TExpr* a, const TExpr* b, const Span& at);

} // namespace dt::sema
