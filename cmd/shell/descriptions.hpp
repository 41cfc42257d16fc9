// Parsing of a single probe description, for operands of commands and text under a cursor.
#pragma once

#include <string_view>

#include "dcompiler/probes.hpp"
#include "libdtrace/trace/session.hpp"

namespace dt::shell {

/// Parses a description as in a script: leading parts may be omitted. The error is the compiler's.
Result<ProbePattern> parse_pattern(Session& session, std::string_view text);

} // namespace dt::shell
