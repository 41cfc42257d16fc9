// Diagnostics for editors and other programs: -x errors=json.
#pragma once

#include <string>

#include "dcompiler/diagnostics.hpp"

namespace dt {

/// One object a line, errors and then warnings:
///
///     {"type":"error","tag":"D_IDENT_UNDEF","message":"failed to resolve x: Unknown variable name","file":"reads.d",
///      "line":3,"column":15,"end_column":16,"hint":"did you mean y?"}
///
/// Columns count bytes from 1, the end is behind the last. What is not known is left out.
std::string render_json(const Diagnostics& diagnostics);

/// The text as a JSON string, with its quotes.
std::string json_string(std::string_view text);

} // namespace dt
