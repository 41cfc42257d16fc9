// Probe descriptions: provider:module:function:name, assigned from the right, macros put in (dtrace-language(7), Probe
// descriptions).
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "dcompiler/syntax/ast.hpp"
#include "dcompiler/syntax/macros.hpp"

namespace dt::syntax {

/// Takes a description apart; `kind` says which component its last one is. Span is left to the caller. The error (tag
/// D_PDESC_INVAL) is a whole message.
Result<ast::ProbeDesc> parse_description(std::string_view text, SpecKind kind, MacroTable& macros);

} // namespace dt::syntax
