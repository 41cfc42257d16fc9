// Lexer: converts characters to tokens.
//
// D has two lexical modes. At the outer level, characters like `syscall::read*:entry` are one token, a probe
// description; inside a clause or declaration they are names and operators. Only the parser knows the mode, and earlier
// items (a typedef, a macro, a pragma) change how later characters divide into tokens. So the lexer makes tokens one at
// a time in the mode that the parser requests, without look-ahead.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "dcompiler/syntax/control_lines.hpp"
#include "dcompiler/syntax/macros.hpp"
#include "dcompiler/syntax/token.hpp"

namespace dt::syntax {

/// Exception that ends the parsing of an item after an error. The code that throws it has already reported the error.
/// It never leaves this folder.
struct ParseAbort {};

class Lexer {
public:
    enum class Mode : uint8_t {
        Outer,        ///< at the start of an item, where a description or the first word of a declaration follows
        Descriptions, ///< after a first description, where another description or a clause follows, but no declaration
        Inside,       ///< inside clause bodies, predicates and declarations
    };

    /// `types` is queried only at the outer level. It is null if a type name cannot start a declaration (in programs of
    /// option -n, and with -x pspec). With `prefers_types`, the name of a type is never read as a description
    /// (dtrace-language(7), Probe descriptions).
    Lexer(const Source& source, MacroTable& macros, TypeNames& types, bool prefers_types, ControlLines& control_lines,
          Diagnostics& diagnostics);

    /// Returns the next token. Reports a lexical error and throws ParseAbort; the next call continues after the error.
    Token next(Mode mode);

    /// Enables the predicate mode, in which a `/` may be the closing slash (dtrace-language(7), Clauses).
    void set_predicate(bool inside) { in_predicate_ = inside; }

    /// Moves back to the start of the last token, so that skip_item() reads it again.
    void put_back();

    /// Returns the next character that is neither a blank nor `*`, or NUL at the end; used to distinguish `(name *)`
    /// from `(name * 2)`.
    char peek_past_stars() const;
    /// Returns the next character that is not a blank, or NUL.
    char peek() const;
    /// Returns the next character after blanks and comments, or NUL.
    char peek_past_comments() const;

    std::size_t position() const { return position_; }
    /// Skips one character of any kind.
    void skip_character();

    /// Skips an item after an error, up to a position where the next item may begin. The item begins at `begin` and has
    /// `depth` open braces at the error; with `declaration`, it ends with a semicolon. Always advances past `begin`.
    void skip_item(std::size_t begin, unsigned depth, bool declaration);

private:
    bool at_end() const { return position_ == text_.size(); }
    char look(std::size_t ahead = 0) const
    {
        return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
    }
    // returns whether the line ends at this position with a backslash and a newline
    bool line_continues(std::size_t at) const;
    std::size_t blanks_end(std::size_t at) const;
    void newline();
    void skip_blanks();
    void block_comment();
    void line_comment();
    bool control_line(); // reads a control line; returns false if the source text ends inside the line

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
    bool line_is_blank_ = true; // whether the line has only blanks so far, so that a # begins a control line
    bool in_predicate_ = false;
    // whether the next word is a member's name, even if it is spelled like a keyword
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
