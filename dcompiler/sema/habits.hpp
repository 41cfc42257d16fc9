// Warnings about code that is correct on other systems but produces wrong results on Linux without an error.
#pragma once

#include "dcompiler/sema/program.hpp"

namespace dt::sema {

class Checker;

/// Checks a comparison for equality. Warns once per program if it compares a system call's result with -1.
void note_comparison(Checker& checker, const TExpr* a, const TExpr* b, const Span& at);

} // namespace dt::sema
