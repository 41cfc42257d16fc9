// The parser's interface: D text in, syntax tree out.
//
// D cannot be parsed without knowing which names are types, and an item changes what the text after it means (a
// typedef, an enumerator, an option). So the parser asks and tells while it reads: TypeNames answers, ParseHooks are
// told.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "dcompiler/diagnostics.hpp"
#include "dcompiler/options.hpp"
#include "base/result.hpp"
#include "dcompiler/syntax/ast.hpp"
#include "dcompiler/syntax/input.hpp"

namespace dt::syntax {

/// What the parser must ask to tell a type name from a value name; sema implements it.
class TypeNames {
public:
    virtual ~TypeNames() = default;
    /// Does this identifier (it may hold one backquote) name a type here? Never asked about keywords.
    virtual bool is_type(std::string_view name) = 0;
};

/// Each may be left empty.
struct ParseHooks {
    /// Called for each item the moment it was parsed, before anything after it is read. Items with errors are not
    /// passed on.
    std::function<void(ast::Item&)> item;
    /// Called before the first error inside a clause is recorded, with the statements before it: they come first in the
    /// text, and so do their errors.
    std::function<void(const ast::Clause&)> broken_clause;
    /// #pragma D option; the error's message follows "failed to set option 'NAME': ".
    std::function<Result<void>(std::string_view name, std::optional<std::string_view> value)> option;
    /// After the last item, between the checks of D_EMPTY and D_MACRO_UNUSED: the place of D_PRAGMA_UNUSED.
    std::function<void(const Span& end)> end;
};

/// Limits that keep every pass free of stack overflow; beyond them the program is refused (D_SYNTAX).
constexpr unsigned kMaxNesting =
    1000; ///< parentheses, unary chains, ?: and = to the right, declarators, struct bodies, if/else
constexpr unsigned kMaxHeight = 4000;          ///< of one expression tree
constexpr unsigned kMaxDeclaratorParts = 1000; ///< of one declarator

/// Parses a program text. Never null; when diagnostics has errors, the tree holds the items without errors. Everything
/// given must outlive the tree. Cost: linear in the text.
std::unique_ptr<ast::Ast> parse(const Source& source, SpecKind kind, const Macros& macros,
                                const CompileOptions& options, TypeNames& types, const ParseHooks& hooks,
                                Diagnostics& diagnostics);

} // namespace dt::syntax
