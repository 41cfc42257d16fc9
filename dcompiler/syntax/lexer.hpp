// Lexer: converts characters to tokens.
//
// D text has two lexical modes. Outside of clauses and declarations, `syscall::read*:entry` is one token, a probe
// description; inside, such characters are names and operators. Only the parser knows the mode. Earlier items (a
// typedef, a macro, a pragma) also affect how later text divides into tokens. So the lexer makes one token at a time,
// in the mode that the parser requests, and never looks ahead.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "dcompiler/syntax/control_lines.hpp"
#include "dcompiler/syntax/macros.hpp"
#include "dcompiler/syntax/token.hpp"

namespace dt::syntax {

/// Exception that ends the parsing of an item after an error. The code that throws the exception has already reported
/// the error. The exception is caught in this folder.
struct ParseAbort {};

class Lexer {
public:
    enum class Mode : uint8_t {
        Outer,        ///< at the start of an item: a description or the first word of a declaration
        Descriptions, ///< after a description: another description or a clause's body, but no declaration
        Inside,       ///< inside of clauses' bodies, predicates and declarations
    };

    /// Outside of clauses, `types` knows which names are types. With `prefers_types` (scripts without -x pspec), the
    /// name of a type is never read as a description. Otherwise it begins a declaration only if a declarator follows
    /// (dtrace-language(7), Probe descriptions).
    Lexer(const Source& source, MacroTable& macros, TypeNames& types, bool prefers_types, ControlLines& control_lines,
          Diagnostics& diagnostics);

    /// Returns the next token. Reports a lexical error and throws ParseAbort; the next call continues after the wrong
    /// text.
    Token next(Mode mode);

    /// Turns on the predicate mode, in which a `/` may be the slash that closes the predicate (dtrace-language(7),
    /// Clauses).
    void set_predicate(bool inside) { in_predicate_ = inside; }

    /// Goes back to the start of the last token, which skip_item() then reads again.
    void put_back();

    /// Returns the next character that is neither a blank nor `*`, or NUL at the end. It distinguishes a cast `(name
    /// *)` from a product `(name * 2)`.
    char peek_past_stars() const;
    /// Returns the next character that is not a blank, or NUL.
    char peek() const;
    /// Returns the next character after blanks and comments, or NUL.
    char peek_past_comments() const;

    std::size_t position() const { return position_; }
    /// Skips one character, whatever it is.
    void skip_character();

    /// Skips the rest of an item after an error, up to a position where the next item may begin. The item begins at
    /// offset `begin`, and `depth` of its braces are open at the error. With `declaration`, it ends at a semicolon.
    /// Always advances past `begin`.
    void skip_item(std::size_t begin, unsigned depth, bool declaration);

private:
    bool at_end() const { return position_ == text_.size(); }
    char look(std::size_t ahead = 0) const
    {
        return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
    }
    // returns whether a backslash and a newline are at this position, so that the line continues
    bool line_continues(std::size_t at) const;
    std::size_t blanks_end(std::size_t at) const;
    void newline();
    void skip_blanks();
    void block_comment();
    void line_comment();
    bool control_line(); // reads a control line; returns false if the text ends in the line

    Span span_from(std::size_t begin) const;
    void finish(Token& token, TokenKind kind);
    std::string_view raw() const { return text_.substr(mark_.position, position_ - mark_.position); }
    [[noreturn]] void fail(std::string_view tag, Span at, std::string message, std::string hint = {});
    [[noreturn]] void fail_near(std::string hint = {});

    void outer(Token& token, bool may_declare);
    void description(Token& token, bool may_declare);
    void take_path();
    void take_description();
    void inside(Token& token);
    void number(Token& token);
    void name(Token& token, bool keywords);
    void set_name(Token& token, std::string_view text, bool keywords);
    void quoted(Token& token);
    void character(Token& token, std::string_view literal);
    void aggregation(Token& token);
    void macro(Token& token);
    void named_macro(Token& token, bool as_string);
    void macro_argument(Token& token, bool as_string);
    void slash(Token& token);
    void punctuation(Token& token);
    void set_integer(Token& token, const struct IntegerLiteral& literal);
    bool begins_clause_line() const;
    void skip_quoted();

    const Source& source_;
    std::string_view text_;
    MacroTable& macros_;
    TypeNames& types_;
    bool prefers_types_;
    bool declarator_follows() const;
    ControlLines& control_lines_;
    Diagnostics& diagnostics_;

    std::size_t position_ = 0;
    std::size_t line_start_ = 0;
    uint32_t line_ = 1;
    const std::string* file_ = nullptr;
    bool line_is_blank_ = true; // whether only blanks precede on the line, so that a # begins a control line
    bool in_predicate_ = false;
    // whether the next word is the name of a member, even if it is a keyword
    bool after_member_operator_ = false;

    // Start of the last token, for put_back().
    struct Mark {
        std::size_t position = 0, line_start = 0;
        uint32_t line = 1;
        const std::string* file = nullptr;
        bool line_is_blank = true;
    } mark_;
};

} // namespace dt::syntax
