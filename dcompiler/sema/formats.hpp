// Do the arguments of printf() and its kin fit the format's conversions? (language reference 5.2, output reference 1.7)
#pragma once

#include "dcompiler/sema/program.hpp"

namespace dt::sema {

class Checker;

/// Checks `call.format` against `call.args`, and for printa() against the keys and values of `call.aggregations`.
void check_format(Checker& checker, TStmt& call);

} // namespace dt::sema
