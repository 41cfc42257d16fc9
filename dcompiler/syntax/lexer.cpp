// Scans blanks, comments, control lines and outer-level tokens, and resynchronises after an error. Tokens inside
// clauses: lexer_inside.cpp.
#include "dcompiler/syntax/lexer.hpp"

#include <algorithm>

#include "dcompiler/syntax/literals.hpp"

namespace dt::syntax {

namespace {

// Backquotes, digits and + (libstdc++.so.6) may occur in a description but not begin it.
bool is_description_char(char c)
{
    return is_name_char(c) || std::string_view("-+$:.?*[]!\\").find(c) != std::string_view::npos;
}

bool begins_description(char c)
{
    return is_description_char(c) && !is_digit(c) && c != '`' && c != '+';
}

bool is_type_keyword(Keyword keyword)
{
    switch (keyword) {
    case Keyword::Char:
    case Keyword::Double:
    case Keyword::Float:
    case Keyword::Int:
    case Keyword::Long:
    case Keyword::Short:
    case Keyword::Signed:
    case Keyword::String:
    case Keyword::Unsigned:
    case Keyword::Void:
        return true;
    default:
        return false;
    }
}

bool is_builtin_description(std::string_view text)
{
    return text == "BEGIN" || text == "END" || text == "ERROR";
}

// Returns the part of an outer-level token that may be a type name: the text up to the first `*`, or nothing
// (dtrace-language(7), Probe descriptions).
std::string_view type_candidate(std::string_view text)
{
    if (text.find_first_of(":-.?!`") != std::string_view::npos || is_builtin_description(text))
        return {};
    text = text.substr(0, text.find('*'));
    return std::all_of(text.begin(), text.end(), is_name_char) ? text : std::string_view{};
}

} // namespace

Lexer::Lexer(const Source& source, MacroTable& macros, TypeNames& types, bool prefers_types,
             ControlLines& control_lines, Diagnostics& diagnostics)
    : source_(source), text_(source.text), macros_(macros), types_(types), prefers_types_(prefers_types),
      control_lines_(control_lines), diagnostics_(diagnostics), file_(control_lines.main_file())
{
}

Token Lexer::next(Mode mode)
{
    skip_blanks();
    mark_ = {position_, line_start_, line_, file_, line_is_blank_};
    Token token;
    if (at_end()) {
        finish(token, TokenKind::End);
        return token;
    }
    line_is_blank_ = false;
    if (mode == Mode::Inside)
        inside(token);
    else
        outer(token, mode == Mode::Outer);
    after_member_operator_ = token.is(TokenKind::Dot) || token.is(TokenKind::Arrow);
    return token;
}

void Lexer::put_back()
{
    position_ = mark_.position;
    line_start_ = mark_.line_start;
    line_ = mark_.line;
    file_ = mark_.file;
    line_is_blank_ = mark_.line_is_blank;
}

// ---- blanks, comments, control lines ------------------------------------------------------------------------------

bool Lexer::line_continues(std::size_t at) const
{
    return at < text_.size() &&
           (text_[at] == '\n' || (text_[at] == '\r' && at + 1 < text_.size() && text_[at + 1] == '\n'));
}

void Lexer::newline()
{
    ++position_;
    ++line_;
    line_start_ = position_;
    line_is_blank_ = true;
}

void Lexer::skip_blanks()
{
    while (!at_end()) {
        const char c = look();
        if (c == '\n') {
            newline();
        } else if (is_blank(c) || (c == '\\' && line_continues(position_ + 1))) {
            ++position_;
        } else if (c == '#' && line_is_blank_) {
            if (!control_line()) {
                mark_.position = position_;
                fail("D_SYNTAX", span_from(position_), "syntax error near end of input",
                     "end the control line with a newline");
            }
        } else if (c == '/' && look(1) == '*') {
            block_comment();
        } else if (c == '/' && look(1) == '/' && !(in_predicate_ && look(2) == '*')) {
            line_comment();
        } else {
            return;
        }
    }
}

// Skips a line comment. In a predicate, `//*` is a closing slash and a block comment, as before line comments existed;
// the caller handles that case.
void Lexer::line_comment()
{
    position_ = std::min(text_.find('\n', position_), text_.size());
}

void Lexer::block_comment()
{
    line_is_blank_ = false;
    Span begin = span_from(position_);
    begin.length = 2;
    position_ += 2;
    bool nested = false;
    uint32_t nested_line = 0;
    while (!at_end()) {
        if (look() == '*' && look(1) == '/') {
            position_ += 2;
            if (!nested)
                return;
            begin.line = nested_line;
            fail("D_SYNTAX", begin, "/* encountered inside a comment");
        }
        if (look() == '/' && look(1) == '*' && !nested) {
            nested = true;
            nested_line = line_;
        }
        if (look() == '\n')
            newline();
        else
            ++position_;
        line_is_blank_ = false;
    }
    begin.line = nested ? nested_line : line_;
    fail("D_SYNTAX", begin, nested ? "/* encountered inside a comment" : "end of input encountered before matching */");
}

bool Lexer::control_line()
{
    const Span at = span_from(position_);
    const std::size_t end = text_.find('\n', position_);
    const std::string_view line =
        text_.substr(position_ + 1, end == std::string_view::npos ? end : end - position_ - 1);
    position_ = std::min(end, text_.size());
    if (line.substr(0, 1) == "!" || std::all_of(line.begin(), line.end(), is_blank))
        return true;
    if (at_end())
        return false;
    const auto marker = control_lines_.handle(line, at);
    newline();
    if (marker) {
        line_ = marker->line;
        if (marker->names_file)
            file_ = marker->file;
    }
    return true;
}

// ---- tokens -------------------------------------------------------------------------------------------------------

Span Lexer::span_from(std::size_t begin) const
{
    Span span;
    span.source = &source_;
    span.file = file_;
    span.offset = static_cast<uint32_t>(begin);
    span.length = static_cast<uint32_t>(position_ - begin);
    span.line = line_;
    span.column = static_cast<uint32_t>(begin - line_start_ + 1);
    return span;
}

void Lexer::finish(Token& token, TokenKind kind)
{
    token.kind = kind;
    token.raw = raw();
    token.at = span_from(mark_.position);
}

void Lexer::fail(std::string_view tag, Span at, std::string message, std::string hint)
{
    diagnostics_.error(tag, at, std::move(message), std::move(hint));
    throw Abandon{};
}

void Lexer::fail_near(std::string hint)
{
    fail("D_SYNTAX", span_from(mark_.position), "syntax error near \"" + std::string(raw()) + "\"", std::move(hint));
}

// outer = description | INT | "{" | "/" | "," | …
void Lexer::outer(Token& token, bool may_declare)
{
    const char c = look();
    if (begins_description(c))
        return description(token, may_declare);
    if (is_digit(c)) {
        while (is_digit(look())) {
            const uint64_t digit = static_cast<uint64_t>(look() - '0');
            token.number = token.number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : token.number * 10 + digit;
            ++position_;
        }
        return finish(token, TokenKind::Integer);
    }
    if (c == '/') {
        ++position_;
        token.op = ast::Operator::Slash;
        return finish(token, TokenKind::Operator);
    }
    inside(token);
}

// Skips a path such as pid@/usr/bin/shop, whose slashes do not begin a predicate.
void Lexer::take_path()
{
    std::size_t at = position_;
    while (at < text_.size() && is_name_char(text_[at]))
        ++at;
    if (at > position_ && at < text_.size() && text_[at] == '@')
        position_ = std::min(text_.find_first_of(": \t\n\r\f\v,{", at), text_.size());
}

// Reads a description or the first word of a declaration.
void Lexer::description(Token& token, bool may_declare)
{
    const std::size_t begin = position_;
    take_path();
    while (is_description_char(look()) && !(look() == '\\' && line_continues(position_ + 1)))
        ++position_;
    const std::string_view text = raw();
    if (may_declare && starts_item(find_keyword(text))) {
        token.keyword = find_keyword(text);
        return finish(token, TokenKind::Keyword);
    }
    const std::string_view candidate =
        may_declare && (prefers_types_ || declarator_follows()) ? type_candidate(text) : std::string_view{};
    if (const Keyword keyword = find_keyword(candidate); is_type_keyword(keyword)) {
        position_ = begin + candidate.size();
        token.keyword = keyword;
        return finish(token, TokenKind::Keyword);
    }
    if (candidate == "_Bool" || (!candidate.empty() && types_.is_type(candidate))) {
        position_ = begin + candidate.size();
        token.text = candidate;
        return finish(token, TokenKind::Identifier);
    }
    token.text = text;
    finish(token, TokenKind::Description);
}

// Returns whether a declarator follows. After a description only a comma, slash, brace or the end may follow, so this
// decides whether an ambiguous word is a type or a description.
bool Lexer::declarator_follows() const
{
    const char c = peek();
    return is_alpha(c) || c == '*' || c == '(';
}

std::size_t Lexer::blanks_end(std::size_t at) const
{
    while (at < text_.size() && (is_blank(text_[at]) || (text_[at] == '\\' && line_continues(at + 1))))
        ++at;
    return at;
}

char Lexer::peek() const
{
    const std::size_t at = blanks_end(position_);
    return at < text_.size() ? text_[at] : '\0';
}

char Lexer::peek_past_comments() const
{
    std::size_t at = blanks_end(position_);
    while (text_.substr(at).starts_with("/*") || text_.substr(at).starts_with("//")) {
        const bool is_block = text_[at + 1] == '*';
        const std::size_t end = text_.find(is_block ? "*/" : "\n", at + 2);
        at = end == std::string_view::npos ? text_.size() : blanks_end(end + (is_block ? 2 : 1));
    }
    return at < text_.size() ? text_[at] : '\0';
}

char Lexer::peek_past_stars() const
{
    std::size_t at = blanks_end(position_);
    while (at < text_.size() && text_[at] == '*')
        at = blanks_end(at + 1);
    return at < text_.size() ? text_[at] : '\0';
}

// ---- after an error -----------------------------------------------------------------------------------------------

void Lexer::skip_character()
{
    if (look() == '\n')
        newline();
    else if (!at_end())
        ++position_;
}

void Lexer::skip_quoted()
{
    const char quote = look();
    ++position_;
    while (!at_end() && look() != '\n') {
        const char c = look();
        position_ += c == '\\' && look(1) != '\n' && position_ + 1 < text_.size() ? 2 : 1;
        if (c == quote)
            return;
    }
}

// Returns whether a clause certainly begins here: a full description, or BEGIN, END or ERROR, in the first column and
// followed by a valid continuation.
bool Lexer::begins_clause_line() const
{
    if (position_ != line_start_)
        return false;
    std::size_t end = position_;
    while (end < text_.size() && is_description_char(text_[end]))
        ++end;
    const std::string_view word = text_.substr(position_, end - position_);
    if (std::count(word.begin(), word.end(), ':') < 2 && !is_builtin_description(word))
        return false;
    end = blanks_end(end);
    return end < text_.size() && std::string_view("{/,").find(text_[end]) != std::string_view::npos;
}

void Lexer::skip_item(std::size_t begin, unsigned depth, bool declaration)
{
    in_predicate_ = after_member_operator_ = false;
    bool body_closed = false; // a closed body of a declaration; a semicolon may follow on the same line
    while (!at_end()) {
        const char c = look();
        if (c == '\n') {
            if (body_closed)
                return;
            newline();
            continue;
        }
        if (is_blank(c)) {
            ++position_;
            continue;
        }
        if (c == '#' && line_is_blank_) {
            control_line();
            continue;
        }
        line_is_blank_ = false;
        if (position_ != begin && begins_clause_line())
            return;
        if (c == '"' || c == '\'') {
            skip_quoted();
        } else if (c == '/' && look(1) == '/') {
            line_comment();
        } else if (c == '/' && look(1) == '*') {
            const std::size_t end = std::min(text_.find("*/", position_ + 2), text_.size() - 2) + 2;
            while (position_ < end)
                skip_character();
            line_is_blank_ = false;
        } else {
            ++position_;
            depth += c == '{';
            if (c == ';' && depth == 0)
                return;
            if (c != '}' || (depth != 0 && --depth != 0))
                continue;
            if (!declaration)
                break;
            body_closed = true;
        }
    }
    if (peek() == ';')
        while (look() != ';')
            skip_character();
    if (look() == ';')
        ++position_;
}

} // namespace dt::syntax
