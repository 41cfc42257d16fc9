// Tokens, the lexer's output.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dcompiler/diagnostics.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::syntax {

enum class TokenKind : uint8_t {
    End,
    Integer,     // number and its flags; character constants; $1 with an integer value; at the outer level a probe id
    String,      // text, escapes resolved; $$1, $$pid; $1 that is neither integer nor name
    Identifier,  // text; may hold backquotes. At the outer level: a type name that starts a declaration
    Keyword,     // keyword
    Aggregation, // text without @, "_" for the bare one
    Macro,       // named macro variable: text "$pid", number
    Description, // outer level: a probe description
    Operator,    // op: an operator of expressions
    ClosingSlash,
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    Comma,
    Semicolon,
    Colon,
    Question,
    Dot,
    Arrow,
    Ellipsis,
};

enum class Keyword : uint8_t {
    None,
    // keywords that can start or continue a declaration
    Auto,
    Char,
    Const,
    Double,
    Enum,
    Extern,
    Float,
    Inline,
    Int,
    Long,
    Provider,
    Register,
    Restrict,
    Self,
    Short,
    Signed,
    Static,
    String,
    Struct,
    This,
    Translator,
    Typedef,
    Union,
    Unsigned,
    Void,
    Volatile,
    // keywords only inside clauses and declarations
    Break,
    Case,
    Continue,
    Counter,
    Default,
    Do,
    Else,
    For,
    Goto,
    If,
    Import,
    Offsetof,
    Probe,
    Return,
    Sizeof,
    Stringof,
    Switch,
    While,
    Xlate,
};

struct Token {
    TokenKind kind = TokenKind::End;
    Keyword keyword = Keyword::None;
    ast::Operator op = ast::Operator::None;
    Span at;
    std::string_view raw; ///< as written, for messages; empty at the end
    std::string text;
    uint64_t number = 0;
    bool decimal = true;          // Integer
    bool unsigned_suffix = false; // Integer
    bool negative = false;        // Integer from a macro argument "-5": number is 5
    uint8_t longs = 0;            // Integer

    bool is(TokenKind k) const { return kind == k; }
    bool is(Keyword k) const { return kind == TokenKind::Keyword && keyword == k; }
    bool is(ast::Operator o) const { return kind == TokenKind::Operator && op == o; }
};

/// Returns the keyword with this spelling, or None.
Keyword find_keyword(std::string_view text);

/// Returns whether the keyword can start a declaration at the outer level.
inline bool starts_item(Keyword keyword)
{
    return keyword != Keyword::None && keyword <= Keyword::Volatile;
}

} // namespace dt::syntax
