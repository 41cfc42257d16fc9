// Parser of probe descriptions, provider:module:function:name, where components on the left may be missing. It replaces
// macros (dtrace-language(7), Probe descriptions).
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "dcompiler/syntax/ast.hpp"
#include "dcompiler/syntax/macros.hpp"

namespace dt::syntax {

/// Parses a description. `kind`, the kind of option, determines which component comes last. The caller must set the
/// source position of the result. An error (tag D_PDESC_INVAL) has a complete message.
Result<ast::ProbeDesc> parse_description(std::string_view text, SpecKind kind, MacroTable& macros);

} // namespace dt::syntax
