// Interface of the parser, which converts D source text into a syntax tree.
//
// To parse D, the parser must know which names are types, and an item (a typedef, an enumerator, an option) affects how
// the text after it is read. So the parser asks TypeNames, and reports each item through ParseHooks before it reads on.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.hpp"
#include "dcompiler/interface/diagnostics.hpp"
#include "dcompiler/interface/options.hpp"
#include "dcompiler/syntax/ast.hpp"
#include "dcompiler/syntax/macros.hpp"

namespace dt::syntax {

/// Interface that knows whether a name is that of a type or of a value; the semantic analysis implements it.
class TypeNames {
public:
    virtual ~TypeNames() = default;
    /// Returns whether an identifier, which may contain one backquote, is the name of a type at this point of the
    /// source text. Never called for keywords.
    virtual bool is_type(std::string_view name) = 0;
};

/// Callbacks that the parser calls; each may be empty.
struct ParseHooks {
    /// Called for each item without errors as soon as it is parsed, before the following text is read.
    std::function<void(ast::Item&)> item;
    /// Called for a clause with an error, before the error is recorded. The clause contains the statements before the
    /// error, so that the errors in them are reported first.
    std::function<void(const ast::Clause&)> broken_clause;
    /// Sets an option for #pragma D option. If it returns an error, its message is appended to "failed to set option
    /// 'NAME': ".
    std::function<Result<void>(std::string_view name, std::optional<std::string_view> value)> option;
    /// Called after the last item, to check for the error D_PRAGMA_UNUSED. The error D_EMPTY is checked before,
    /// D_MACRO_UNUSED after it.
    std::function<void(const Span& end)> end;
};

/// Limits that protect all recursive functions from stack overflow. A program that exceeds a limit has the error
/// D_SYNTAX. kMaxNesting is for parentheses, unary operators in a row, nested ?: and =, declarators, bodies of structs,
/// and if/else.
constexpr unsigned kMaxNesting = 1000;
constexpr unsigned kMaxHeight = 4000;          ///< maximum height of an expression tree
constexpr unsigned kMaxDeclaratorParts = 1000; ///< maximum number of parts (`*`, `[n]`, …) of a declarator

/// Parses a source text and never returns null. If diagnostics has errors, the tree contains only the valid items. The
/// tree refers to the arguments, which must outlive it. Takes linear time.
std::unique_ptr<ast::Ast> parse(const Source& source, SpecKind kind, const Macros& macros,
                                const CompileOptions& options, TypeNames& types, const ParseHooks& hooks,
                                Diagnostics& diagnostics);

// Parser of probe descriptions, provider:module:function:name, where components on the left may be missing. It replaces
// macros (dtrace-language(7), Probe descriptions).

/// Parses a description. `kind`, the kind of option, determines which component comes last. The caller must set the
/// source position of the result. An error (tag D_PDESC_INVAL) has a complete message.
Result<ast::ProbeDesc> parse_description(std::string_view text, SpecKind kind, MacroTable& macros);

} // namespace dt::syntax
