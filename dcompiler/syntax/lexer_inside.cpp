// Scans tokens inside clauses and declarations: names, literals, macros, operators (dtrace-language(7), CONSTANTS;
// dtrace-variables(7), MACRO VARIABLES).
#include <algorithm>

#include "dcompiler/syntax/lexer.hpp"
#include "dcompiler/syntax/literals.hpp"

namespace dt::syntax {

namespace {

using ast::Operator;

struct Punctuation {
    std::string_view text;
    TokenKind kind;
    Operator op = Operator::None;
};

// Longer spellings precede their prefixes. slash() handles `/` and `/=`.
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
    while ((look() & 0xc0) == 0x80) // remaining bytes of a UTF-8 character
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

// ---- names and numbers --------------------------------------------------------------------------------------------

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

// number = INT | module name that begins with a digit, before a backquote (9p`sym) | float, which D lacks
void Lexer::number(Token& token)
{
    std::size_t end = position_;
    while (end < text_.size() && (is_alpha(text_[end]) || is_digit(text_[end])))
        ++end;
    if (end < text_.size() && text_[end] == '`')
        return name(token, false);
    const std::string_view rest = text_.substr(position_);
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

// ---- strings and characters ---------------------------------------------------------------------------------------

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
                fail_near("a literal cannot go on in the next line");
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

// ---- macros -------------------------------------------------------------------------------------------------------

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
                       : "variables have no $: " + std::string(name) + ", this->" + std::string(name) + " or self->" +
                             std::string(name));
    token.number = static_cast<uint64_t>(*value);
    token.text = as_string ? std::to_string(token.number) : std::string(token.raw);
}

// Converts an operand of the script into a token: an integer, a name, or else a string.
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
