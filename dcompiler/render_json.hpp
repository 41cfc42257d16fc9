// Formats diagnostics as JSON for editors and other programs: -x errors=json.
#pragma once

#include <string>

#include "dcompiler/diagnostics.hpp"

namespace dt {

/// Formats one object per line, errors before warnings:
///
///     {"type":"error","tag":"D_IDENT_UNDEF","message":"failed to resolve x: Unknown variable name","file":"reads.d",
///      "line":3,"column":15,"end_column":16,"hint":"did you mean y?"}
///
/// Columns are bytes counted from 1, and the end is exclusive. Unknown members are omitted.
std::string render_json(const Diagnostics& diagnostics);

/// Returns the text as a JSON string with quotes.
std::string json_string(std::string_view text);

} // namespace dt
