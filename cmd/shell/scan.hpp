// Splits D text into complete clauses and declarations, and into the tokens of an unfinished clause at its end.
//
// After each line the shell must know whether the clause is complete, and completion must know the tokens before the
// cursor. Both need the lexer, which knows where comments, strings and predicates end.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "dcompiler/syntax/token.hpp"

namespace dt::shell {

/// Syntactic position at the end of the text, such as inside a predicate or inside the body of a clause.
enum class Where { Outer, Descriptions, Predicate, Body, Declaration };

/// A token with its location.
struct Piece {
    syntax::TokenKind kind = syntax::TokenKind::End;
    std::size_t begin = 0, end = 0;
};

struct Scan {
    /// Complete clauses and declarations, each with the comments and control lines before it.
    std::vector<std::string_view> items;
    Where where = Where::Outer;
    std::size_t begin = 0;     ///< offset of the text after the last complete clause or declaration
    std::vector<Piece> pieces; ///< tokens of the text from `begin` on
    bool in_comment = false;   ///< the text ends inside a comment
    bool in_literal = false;   ///< the text ends inside a string or character constant

    /// Returns whether the text is incomplete.
    bool is_open() const { return where != Where::Outer || in_comment; }
};

/// Scans the text, which must outlive the result. Cost: linear in the text.
Scan scan(std::string_view text);

/// Returns the text without surrounding white space.
std::string_view trimmed(std::string_view text);

} // namespace dt::shell
