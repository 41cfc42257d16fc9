// Interface of the parser, which converts D source text into a syntax tree.
//
// D cannot be parsed without knowing which names are types, and an item (a typedef, an enumerator, an option) affects
// the source text that follows. So the parser queries TypeNames and reports each item through ParseHooks while it
// reads.
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

/// Interface that distinguishes type names from value names; sema implements it.
class TypeNames {
public:
    virtual ~TypeNames() = default;
    /// Returns whether an identifier, which may contain one backquote, names a type at this point of the source text.
    /// Never called with keywords.
    virtual bool is_type(std::string_view name) = 0;
};

/// Callbacks that the parser calls; each may be empty.
struct ParseHooks {
    /// Called for each item as soon as it is parsed, before the source text after it is read. Items with errors are not
    /// passed.
    std::function<void(ast::Item&)> item;
    /// Called before the first error inside a clause is recorded. It receives the clause with the preceding statements,
    /// so that their errors are reported first.
    std::function<void(const ast::Clause&)> broken_clause;
    /// Handles #pragma D option. The error's message is appended to "failed to set option 'NAME': ".
    std::function<Result<void>(std::string_view name, std::optional<std::string_view> value)> option;
    /// Called after the last item, between the checks of D_EMPTY and D_MACRO_UNUSED, to check D_PRAGMA_UNUSED.
    std::function<void(const Span& end)> end;
};

/// Limits that protect every pass against stack overflow. A program that exceeds them is refused (D_SYNTAX).
/// kMaxNesting is for parentheses, unary chains, ?: and = to the right, declarators, struct bodies, if/else.
constexpr unsigned kMaxNesting = 1000;
constexpr unsigned kMaxHeight = 4000;          ///< maximum height of an expression tree
constexpr unsigned kMaxDeclaratorParts = 1000; ///< maximum number of parts of a declarator

/// Parses a source text and never returns null. If diagnostics has errors, the tree contains only the valid items. All
/// arguments must outlive the tree. Takes linear time.
std::unique_ptr<ast::Ast> parse(const Source& source, SpecKind kind, const Macros& macros,
                                const CompileOptions& options, TypeNames& types, const ParseHooks& hooks,
                                Diagnostics& diagnostics);

} // namespace dt::syntax
