// Parser of probe descriptions: provider:module:function:name, assigned from the right, with macros replaced
// (dtrace-language(7), Probe descriptions).
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "dcompiler/syntax/ast.hpp"
#include "dcompiler/syntax/macros.hpp"

namespace dt::syntax {

/// Parses a description; `kind` determines the position of its last component. The caller sets the span. The error (tag
/// D_PDESC_INVAL) is a complete message.
Result<ast::ProbeDesc> parse_description(std::string_view text, SpecKind kind, MacroTable& macros);

} // namespace dt::syntax
