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
    // Integer: number and its flags. Also stands for character constants, for $1 with an integer value, and at the
    // outer level for a probe id.
    Integer,
    String,      // string with resolved escapes; also for $$1, $$pid, and for $1 that is neither an integer nor a name
    Identifier,  // name, which may contain backquotes. At the outer level: a type name that starts a declaration
    Keyword,     // a keyword of D
    Aggregation, // aggregation: text without @; "_" for @ alone
    Macro,       // named macro variable: its text, such as "$pid", and its value as a number
    Description, // probe description; only at the outer level
    Operator,    // operator of expressions; `op` is its kind
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
    std::string_view raw; ///< text of the token as written, for messages; empty at the end of the program
    std::string text;
    uint64_t number = 0;
    bool decimal = true;          // for Integer: whether the number is decimal
    bool unsigned_suffix = false; // for Integer: whether it has the suffix u
    // for Integer: whether the token comes from a macro argument such as "-5"; `number` is then 5
    bool negative = false;
    uint8_t longs = 0; // for Integer: number of letters l in the suffix

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

/// Resolves \a \b \f \n \r \t \v \\ \" \ooo \xH…; any other \c remains two characters.
std::string unescape(std::string_view text);

struct IntegerLiteral {
    /// number of characters read, including the suffix; 0 if the text does not begin with an integer
    std::size_t length = 0;
    uint64_t value = 0;
    bool decimal = true;
    bool unsigned_suffix = false;
    uint8_t longs = 0;
    bool overflow = false;         ///< whether the value has more than 64 bits
    std::optional<char> bad_digit; ///< first digit of an octal constant that is 8 or 9; empty if there is none

    /// Returns whether a type can hold the value of an integer constant. A decimal constant without u needs a signed
    /// type.
    bool has_type() const
    {
        return !overflow && (!decimal || unsigned_suffix || value <= static_cast<uint64_t>(INT64_MAX));
    }
};

/// Reads the integer at the start of `text`: decimal, 0 octal, 0x hexadecimal, then [uU]?[lL]?[lL]?.
IntegerLiteral read_integer(std::string_view text);

/// Reads the duration at the start of `text`, a decimal number and a unit, as a constant in nanoseconds of type long.
/// Returns nothing if the text does not start with a duration.
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
