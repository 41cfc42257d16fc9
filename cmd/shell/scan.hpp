// How far a D text has come: which of its clauses and declarations are whole, and what the last, unfinished one
// consists of.
//
// A person types a clause over several lines, so after each line the shell must know whether there is more to come; and
// completion must know what stands before the cursor. Both are questions to the lexer, which alone knows where
// comments, strings and predicates end.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "dcompiler/syntax/token.hpp"

namespace dt::shell {

/// What the text is in the middle of.
enum class Where { Outer, Descriptions, Predicate, Body, Declaration };

/// A token and where it stands.
struct Piece {
    syntax::TokenKind kind = syntax::TokenKind::End;
    std::size_t begin = 0, end = 0;
};

struct Scan {
    std::vector<std::string_view>
        items; ///< whole clauses and declarations, each with the comments and control lines before it
    Where where = Where::Outer;
    std::size_t begin = 0;     ///< of what is not whole
    std::vector<Piece> pieces; ///< its tokens
    bool in_comment = false;   ///< the text ends inside one
    bool in_literal = false;   ///< a string, or a character constant, is open at the end

    /// Is there more to come?
    bool is_open() const { return where != Where::Outer || in_comment; }
};

/// `text` must outlive the result. Cost: linear in the text.
Scan scan(std::string_view text);

/// Without the blanks around it.
std::string_view trimmed(std::string_view text);

} // namespace dt::shell
