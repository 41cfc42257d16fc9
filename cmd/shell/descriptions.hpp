// A probe description that stands alone, as operand of a command or under a cursor.
#pragma once

#include <string_view>

#include "dcompiler/probes.hpp"
#include "libdtrace/trace/session.hpp"

namespace dt::shell {

/// As a script has it: parts may be left out from the left. The error is that of the compiler.
Result<ProbePattern> parse_pattern(Session& session, std::string_view text);

} // namespace dt::shell
