// Checker of printf() arguments against the format's conversions (dtrace-output(7), FORMATS).
#pragma once

#include "dcompiler/sema/program.hpp"

namespace dt::sema {

class Checker;

/// Checks `call.format` against `call.args`, and for printa() against the keys and values of `call.aggregations`.
void check_format(Checker& checker, TStmt& call);

} // namespace dt::sema
