// Tokens, the lexer's output, and the values of integer, character and string literals. Literals occur in source texts
// and in macro arguments, so their parsers need no lexer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dcompiler/interface/diagnostics.hpp"
#include "dcompiler/syntax/ast.hpp"

namespace dt::syntax {

enum class TokenKind : uint8_t {
    End,
    // Integer: `number` and its flags. Also used for character constants, for $1 with an integer value, and outside of
    // clauses for a probe id.
    Integer,
    String,      // string with escapes replaced; also $$1, $$pid, and $1 if it is neither an integer nor a name
    Identifier,  // name, perhaps with backquotes; outside of clauses: a type's name that begins a declaration
    Keyword,     // a keyword of D
    Aggregation, // aggregation: text without @; "_" for @ alone
    Macro,       // named macro variable: its text, such as "$pid", and its value as a number
    Description, // probe description; only outside of clauses and declarations
    Operator,    // operator in an expression; `op` identifies it
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
    // keywords that can begin or continue a declaration
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
    // words that are keywords only inside clauses and declarations
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
    std::string_view raw; ///< the token as in the source text, for messages; empty at the end
    std::string text;
    uint64_t number = 0;
    bool decimal = true;          // for Integer: whether the number is decimal
    bool unsigned_suffix = false; // for Integer: whether it has the suffix u
    // for Integer: whether the token is from a macro argument such as "-5"; `number` is then 5
    bool negative = false;
    uint8_t longs = 0; // for Integer: number of letters l in the suffix

    bool is(TokenKind k) const { return kind == k; }
    bool is(Keyword k) const { return kind == TokenKind::Keyword && keyword == k; }
    bool is(ast::Operator o) const { return kind == TokenKind::Operator && op == o; }
};

/// Returns the keyword with this spelling, or None.
Keyword find_keyword(std::string_view text);

/// Returns whether the keyword can begin a declaration outside of clauses.
inline bool starts_item(Keyword keyword)
{
    return keyword != Keyword::None && keyword <= Keyword::Volatile;
}

/// Returns the string with escapes replaced: \a \b \f \n \r \t \v \\ \" \ooo \xH…; any other \c remains as two
/// characters.
std::string unescape(std::string_view text);

struct IntegerLiteral {
    /// number of characters that were read, with the suffix; 0 if the text does not begin with an integer
    std::size_t length = 0;
    uint64_t value = 0;
    bool decimal = true;
    bool unsigned_suffix = false;
    uint8_t longs = 0;
    bool overflow = false;         ///< whether the value needs more than 64 bits
    std::optional<char> bad_digit; ///< for an octal constant: its first digit that is 8 or 9, or empty

    /// Returns whether the value of an integer constant fits a type. A decimal constant without u requires a signed
    /// type.
    bool has_type() const
    {
        return !overflow && (!decimal || unsigned_suffix || value <= static_cast<uint64_t>(INT64_MAX));
    }
};

/// Reads the integer at the start of `text`: hexadecimal after 0x, octal after 0, else decimal, and then a suffix
/// [uU]?[lL]?[lL]?.
IntegerLiteral read_integer(std::string_view text);

/// Reads a duration at the start of `text`: a decimal number and a unit. The result is a constant of type long, in
/// nanoseconds. Returns nothing if the text does not begin with a duration.
std::optional<IntegerLiteral> read_duration(std::string_view text);

inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}
inline bool is_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
inline bool is_name_char(char c)
{
    return is_alpha(c) || is_digit(c) || c == '`';
}
inline bool is_hex_digit(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
inline bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

} // namespace dt::syntax
