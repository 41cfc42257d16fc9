// Scans blanks, comments, control lines and tokens, and finds the next item after an error. The first part of the file
// is about text outside of clauses and declarations, the second part about text inside them.
#include "dcompiler/syntax/lexer.hpp"

#include <algorithm>
#include <cctype>

namespace dt::syntax {

namespace {

// These characters may occur in a probe description but not begin it: backquotes, digits and + (as in libstdc++.so.6).
bool is_description_char(char c)
{
    return is_name_char(c) || std::string_view("-+$:.?*[]!\\").find(c) != std::string_view::npos;
}

/// Returns whether an @ belongs to the description: "pid" descriptions name source lines, as in server.c@120.
bool is_before_line(std::string_view description)
{
    return description.starts_with("pid") && description.find(':') != std::string_view::npos;
}

/// Returns whether a slash continues a description: "watch" descriptions contain memory, as in 0x601040/8.
bool is_before_size(std::string_view description, std::string_view rest)
{
    const std::size_t colon = description.find(':');
    if (!description.starts_with("watch") || colon == std::string_view::npos || rest.size() < 2 || !is_digit(rest[1]))
        return false;
    const std::string_view address = description.substr(colon + 1);
    return address.size() > 2 && address.starts_with("0x") &&
           std::all_of(address.begin() + 2, address.end(), [](char c) { return std::isxdigit(c) != 0; });
}

/// Returns whether `rest`, the text after a description, begins with a character that continues the description,
/// although descriptions otherwise do not contain it.
bool continues_description(std::string_view description, std::string_view rest)
{
    return !rest.empty() &&
           ((rest[0] == '@' && is_before_line(description)) || (rest[0] == '/' && is_before_size(description, rest)));
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

// Some parts of function names contain characters that descriptions otherwise do not: template arguments, parameters,
// closures of Rust. Returns the end of such a part at `at`, or `at` if there is none.
std::size_t end_of_function_part(std::string_view text, std::size_t at)
{
    for (const std::string_view closure : {"{{closure}}", "{closure#", "{impl#"})
        if (const std::size_t end = text.find('}', at);
            text.substr(at).starts_with(closure) && end != std::string_view::npos)
            return closure.ends_with('}') ? at + closure.size() : end + 1;
    int depth = 0;
    for (std::size_t i = at; i < text.size() && std::string_view("\n\";").find(text[i]) == std::string_view::npos;
         ++i) {
        const bool is_arrow = text[i] == '>' && i > 0 && text[i - 1] == '-';
        const bool opens = text[i] == '<' || text[i] == '(', closes = (text[i] == '>' && !is_arrow) || text[i] == ')';
        depth += opens ? 1 : closes ? -1 : 0;
        if (depth <= 0) {
            constexpr std::string_view kConst = " const";
            return i == at ? at : i + 1 + (text.substr(i + 1).starts_with(kConst) ? kConst.size() : 0);
        }
    }
    return at;
}

// Returns the part of a token outside of clauses that may be the name of a type: the text up to the first `*`, or
// nothing (dtrace-language(7), Probe descriptions).
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

// ---- skipping of blanks and comments, and reading of control lines ------------------------------------------------

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

// Skips a comment that begins with two slashes. In a predicate, `//*` is not such a comment but the closing slash and a
// block comment, as before D had line comments; the caller excludes it.
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

// ---- creation of tokens -------------------------------------------------------------------------------------------

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
    throw ParseAbort{};
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

// Skips a path in a description such as pid@/usr/bin/shop. Its slashes do not begin a predicate.
void Lexer::take_path()
{
    std::size_t at = position_;
    while (at < text_.size() && is_name_char(text_[at]))
        ++at;
    if (at > position_ && at < text_.size() && text_[at] == '@')
        position_ = std::min(text_.find_first_of(": \t\n\r\f\v,{", at), text_.size());
}

// Reads the characters of a description. Function names of processes may contain template arguments and parameters,
// because users copy them from stack traces.
void Lexer::take_description()
{
    for (;;) {
        if (is_description_char(look()) && !(look() == '\\' && line_continues(position_ + 1))) {
            ++position_;
            continue;
        }
        if (continues_description(raw(), text_.substr(position_))) {
            ++position_;
            continue;
        }
        const bool is_function = raw().starts_with("pid") && raw().find("::") != std::string_view::npos;
        const std::size_t end = is_function ? end_of_function_part(text_, position_) : position_;
        if (end == position_)
            return;
        position_ = end;
    }
}

// Reads a probe description, or the first word of a declaration.
void Lexer::description(Token& token, bool may_declare)
{
    const std::size_t begin = position_;
    take_path();
    take_description();
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

// A word may be a type, which starts a declaration, or a description. Returns whether a declarator follows, so that it
// is a type. After a description, only a comma, slash, brace or the end of the text may follow.
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

// ---- skipping of text to the next item after an error -------------------------------------------------------------

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

// Returns whether a clause certainly begins here, in the first column: with a complete description, or with BEGIN, END
// or ERROR, followed by text that may follow a description.
bool Lexer::begins_clause_line() const
{
    if (position_ != line_start_)
        return false;
    std::size_t end = position_;
    while (end < text_.size() && (is_description_char(text_[end]) ||
                                  continues_description(text_.substr(position_, end - position_), text_.substr(end))))
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
    // whether the last skipped character was the brace at the end of a declaration's body; the semicolon may follow on
    // the same line
    bool body_closed = false;
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

// Scans tokens inside clauses and declarations: names, literals, macros, operators (dtrace-language(7), CONSTANTS;
// dtrace-variables(7), MACRO VARIABLES).

namespace {

using ast::Operator;

struct Punctuation {
    std::string_view text;
    TokenKind kind;
    Operator op = Operator::None;
};

// A spelling that begins with another one, such as <<=, comes before it. slash() handles `/` and `/=`.
constexpr Punctuation kPunctuation[] = {
    {"<<=", TokenKind::Operator, Operator::AssignShl},
    {">>=", TokenKind::Operator, Operator::AssignShr},
    {"...", TokenKind::Ellipsis},
    {"->", TokenKind::Arrow},
    {"++", TokenKind::Operator, Operator::Increment},
    {"--", TokenKind::Operator, Operator::Decrement},
    {"&&", TokenKind::Operator, Operator::AndAnd},
    {"||", TokenKind::Operator, Operator::OrOr},
    {"^^", TokenKind::Operator, Operator::XorXor},
    {"<<", TokenKind::Operator, Operator::ShiftLeft},
    {">>", TokenKind::Operator, Operator::ShiftRight},
    {"<=", TokenKind::Operator, Operator::LessEqual},
    {">=", TokenKind::Operator, Operator::GreaterEqual},
    {"==", TokenKind::Operator, Operator::Equal},
    {"!=", TokenKind::Operator, Operator::NotEqual},
    {"+=", TokenKind::Operator, Operator::AssignAdd},
    {"-=", TokenKind::Operator, Operator::AssignSub},
    {"*=", TokenKind::Operator, Operator::AssignMul},
    {"%=", TokenKind::Operator, Operator::AssignMod},
    {"&=", TokenKind::Operator, Operator::AssignAnd},
    {"|=", TokenKind::Operator, Operator::AssignOr},
    {"^=", TokenKind::Operator, Operator::AssignXor},
    {"(", TokenKind::LeftParen},
    {")", TokenKind::RightParen},
    {"[", TokenKind::LeftBracket},
    {"]", TokenKind::RightBracket},
    {"{", TokenKind::LeftBrace},
    {"}", TokenKind::RightBrace},
    {",", TokenKind::Comma},
    {";", TokenKind::Semicolon},
    {":", TokenKind::Colon},
    {"?", TokenKind::Question},
    {".", TokenKind::Dot},
    {"=", TokenKind::Operator, Operator::Assign},
    {"+", TokenKind::Operator, Operator::Plus},
    {"-", TokenKind::Operator, Operator::Minus},
    {"*", TokenKind::Operator, Operator::Star},
    {"%", TokenKind::Operator, Operator::Percent},
    {"&", TokenKind::Operator, Operator::Ampersand},
    {"|", TokenKind::Operator, Operator::Pipe},
    {"^", TokenKind::Operator, Operator::Caret},
    {"~", TokenKind::Operator, Operator::Tilde},
    {"!", TokenKind::Operator, Operator::Not},
    {"<", TokenKind::Operator, Operator::Less},
    {">", TokenKind::Operator, Operator::Greater},
};

// Returns the end of the floating constant at the start of `text`, or 0: ( digits "." digits | digits exponent | digits
// [fF] | "." digits ) …
std::size_t float_length(std::string_view text)
{
    const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : '\0'; };
    std::size_t i = 0;
    while (is_digit(at(i)))
        ++i;
    bool floating = at(i) == '.';
    if (floating)
        for (++i; is_digit(at(i));)
            ++i;
    if ((at(i) | 0x20) == 'e') {
        std::size_t digits = i + 1;
        if (at(digits) == '+' || at(digits) == '-')
            ++digits;
        if (is_digit(at(digits))) {
            floating = true;
            for (i = digits; is_digit(at(i));)
                ++i;
        }
    }
    if ((at(i) | 0x20) == 'f') {
        floating = true;
        ++i;
    } else if (floating && (at(i) | 0x20) == 'l') {
        ++i;
    }
    return floating ? i : 0;
}

} // namespace

void Lexer::inside(Token& token)
{
    const char c = look();
    if (is_digit(c) || (c == '.' && is_digit(look(1))))
        return number(token);
    if (is_name_char(c))
        return name(token, !after_member_operator_);
    switch (c) {
    case '"':
    case '\'':
        return quoted(token);
    case '@':
        return aggregation(token);
    case '$':
        return macro(token);
    case '/':
        return slash(token);
    default:
        return punctuation(token);
    }
}

void Lexer::punctuation(Token& token)
{
    const std::string_view rest = text_.substr(position_, 3);
    for (const Punctuation& entry : kPunctuation) {
        if (rest.substr(0, entry.text.size()) != entry.text)
            continue;
        position_ += entry.text.size();
        token.op = entry.op;
        return finish(token, entry.kind);
    }
    ++position_;
    while ((look() & 0xc0) == 0x80) // if the character is UTF-8, also reads its other bytes
        ++position_;
    fail_near();
}

void Lexer::slash(Token& token)
{
    ++position_;
    if (look() == '=') {
        ++position_;
        token.op = Operator::AssignDiv;
        return finish(token, TokenKind::Operator);
    }
    const char follows = peek();
    const bool ends = blanks_end(position_) == text_.size() || follows == '{' || follows == '/' || follows == ';';
    token.op = Operator::Slash;
    finish(token, in_predicate_ && ends ? TokenKind::ClosingSlash : TokenKind::Operator);
}

// ---- scanning of names and numbers --------------------------------------------------------------------------------

void Lexer::name(Token& token, bool keywords)
{
    while (is_name_char(look()))
        ++position_;
    set_name(token, raw(), keywords);
}

void Lexer::set_name(Token& token, std::string_view text, bool keywords)
{
    token.text = text;
    token.keyword = keywords ? find_keyword(text) : Keyword::None;
    finish(token, token.keyword == Keyword::None ? TokenKind::Identifier : TokenKind::Keyword);
}

// number = INT | duration | module name that begins with a digit, before a backquote (9p`sym) | float, which D lacks
void Lexer::number(Token& token)
{
    std::size_t end = position_;
    while (end < text_.size() && (is_alpha(text_[end]) || is_digit(text_[end])))
        ++end;
    if (end < text_.size() && text_[end] == '`')
        return name(token, false);
    const std::string_view rest = text_.substr(position_);
    if (const std::optional<IntegerLiteral> duration = read_duration(rest)) {
        position_ += duration->length;
        return set_integer(token, *duration);
    }
    const IntegerLiteral literal = read_integer(rest);
    const bool hex = literal.length > 1 && (rest[1] | 0x20) == 'x';
    if (const std::size_t length = hex ? 0 : float_length(rest)) {
        position_ += length;
        fail("D_SYNTAX", span_from(mark_.position), "floating-point constants are not permitted",
             "D has no floating-point arithmetic: scale to integers");
    }
    position_ += literal.length;
    set_integer(token, literal);
}

void Lexer::set_integer(Token& token, const IntegerLiteral& literal)
{
    token.number = literal.value;
    token.decimal = literal.decimal;
    token.unsigned_suffix = literal.unsigned_suffix;
    token.longs = literal.longs;
    finish(token, TokenKind::Integer);
    const std::string text(token.raw);
    if (literal.bad_digit)
        fail("D_INT_DIGIT", token.at, "integer constant " + text + " contains invalid digit " + *literal.bad_digit,
             "a leading 0 makes a constant octal");
    if (!literal.has_type())
        fail("D_INT_OFLOW", token.at,
             "integer constant " + text + " cannot be represented in any built-in integral type",
             literal.overflow ? "" : "append a 'u' for an unsigned constant");
}

void Lexer::aggregation(Token& token)
{
    ++position_;
    if (is_alpha(look()))
        while (is_alpha(look()) || is_digit(look()))
            ++position_;
    token.text = raw().size() > 1 ? raw().substr(1) : "_";
    finish(token, TokenKind::Aggregation);
}

// ---- scanning of string and character constants -------------------------------------------------------------------

void Lexer::quoted(Token& token)
{
    const char quote = look();
    const bool is_string = quote == '"';
    const std::string what = is_string ? "string literal" : "character constant";
    ++position_;
    while (!at_end() && look() != quote && look() != '\n') {
        if (look() == '\\') {
            ++position_;
            if (look() == '\n')
                fail_near("a literal cannot continue on the next line");
        }
        position_ += at_end() ? 0 : 1;
    }
    if (at_end()) {
        Span at = span_from(mark_.position);
        at.length = 1;
        fail("D_SYNTAX", at, std::string("end of input encountered before matching ") + quote,
             "the " + what + " that begins here is not closed");
    }
    if (look() == '\n') {
        Span at = span_from(mark_.position);
        ++at.line;
        fail(is_string ? "D_STR_NL" : "D_CHR_NL", at, "newline encountered in " + what, "write \\n for a newline");
    }
    const std::string_view inner = raw().substr(1);
    ++position_;
    if (!is_string)
        return character(token, inner);
    token.text = unescape(inner);
    finish(token, TokenKind::String);
}

// The first byte of a character constant is the most significant: 'ab' is 0x6162.
void Lexer::character(Token& token, std::string_view literal)
{
    const std::string bytes = unescape(literal);
    finish(token, TokenKind::Integer);
    if (bytes.empty())
        fail("D_CHR_NULL", token.at, "character constant is empty");
    if (bytes.size() > sizeof(uint64_t))
        fail("D_CHR_OFLOW", token.at, "character constant is too long: at most 8 bytes");
    for (const char byte : bytes)
        token.number = token.number << 8 | static_cast<unsigned char>(byte);
}

// ---- scanning of macro variables ----------------------------------------------------------------------------------

// macro = "$" [ "$" ] ( digits | name )
void Lexer::macro(Token& token)
{
    ++position_;
    const bool as_string = look() == '$';
    if (as_string)
        ++position_;
    if (is_digit(look()))
        return macro_argument(token, as_string);
    if (is_alpha(look()))
        return named_macro(token, as_string);
    fail_near();
}

void Lexer::named_macro(Token& token, bool as_string)
{
    const std::size_t begin = position_;
    while (is_alpha(look()) || is_digit(look()))
        ++position_;
    const std::string_view name = text_.substr(begin, position_ - begin);
    const auto value = macros_.named(name);
    const bool is_target = name == "target";
    finish(token, as_string ? TokenKind::String : TokenKind::Macro);
    if (!value)
        fail("D_MACRO_UNDEF", token.at,
             "macro variable " + std::string(token.raw) + " is not defined" +
                 (is_target ? ": there is no process without -c COMMAND or -p PID" : ""),
             is_target ? ""
                       : "D variables are written without $: " + std::string(name) + ", this->" + std::string(name) +
                             " or self->" + std::string(name));
    token.number = static_cast<uint64_t>(*value);
    token.text = as_string ? std::to_string(token.number) : std::string(token.raw);
}

// Converts an argument of the script into a token: an integer if it is one, else a name, else a string.
void Lexer::macro_argument(Token& token, bool as_string)
{
    std::size_t number = 0;
    for (; is_digit(look()); ++position_)
        number = std::min<std::size_t>(number * 10 + static_cast<std::size_t>(look() - '0'), 1U << 30);
    finish(token, TokenKind::String);
    const auto argument = macros_.argument(number, as_string ? "" : "0");
    if (!argument)
        fail("D_MACRO_UNDEF", token.at, "macro argument " + std::string(token.raw) + " is not defined",
             "give an operand after the program, or use -x defaultargs");
    std::string_view text = *argument;
    const bool is_signed = !text.empty() && (text[0] == '-' || text[0] == '+');
    const std::string_view digits = text.substr(is_signed ? 1 : 0);
    const IntegerLiteral literal = as_string ? IntegerLiteral{} : read_integer(digits);
    if (!as_string && literal.length != 0 && literal.length == digits.size() && !literal.bad_digit) {
        if (literal.overflow)
            fail("D_MACRO_OFLOW", token.at,
                 "macro argument " + std::string(token.raw) + " integer value '" + *argument + "' overflows");
        token.negative = is_signed && text[0] == '-';
        return set_integer(token, literal);
    }
    if (!as_string && !text.empty() && std::all_of(text.begin(), text.end(), is_name_char))
        return set_name(token, text, !after_member_operator_);
    if (!as_string && text.size() >= 2 && text.front() == '"' && text.back() == '"')
        text = text.substr(1, text.size() - 2);
    token.text = unescape(text);
}

} // namespace dt::syntax
