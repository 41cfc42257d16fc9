#include "cmd/shell/context.hpp"

#include <algorithm>
#include <array>

#include "cmd/shell/commands.hpp"
#include "cmd/shell/scan.hpp"

namespace dt::shell {
namespace {

using syntax::TokenKind;
using Pieces = std::vector<Piece>;

bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Returns the name at the end of the text.
std::string_view last_name(std::string_view text)
{
    std::size_t begin = text.size();
    while (begin > 0 && is_name_char(text[begin - 1]))
        --begin;
    return text.substr(begin);
}

std::string_view last_word(std::string_view text)
{
    return text.substr(text.find_last_of(" \t\n") + 1); // npos + 1 is 0
}

Context of_kind(Context::Kind kind, std::string_view word)
{
    Context context;
    context.kind = kind;
    context.word = word;
    return context;
}

/// Splits a probe description at its colons; brackets of patterns need no special treatment.
Context of_description(Context::Kind kind, std::string_view text)
{
    Context context = of_kind(kind, text);
    for (auto colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':')) {
        context.kind = Context::Kind::Probe;
        context.before.emplace_back(text.substr(0, colon));
        text.remove_prefix(colon + 1);
    }
    context.word = text;
    return context;
}

std::size_t opening(const Pieces& pieces, std::size_t closing, TokenKind open, TokenKind close)
{
    std::size_t depth = 0;
    for (std::size_t i = closing + 1; i-- > 0;) {
        depth += pieces[i].kind == close;
        if (pieces[i].kind == open && --depth == 0)
            return i;
    }
    return pieces.size();
}

/// Returns the index of the piece with which the operand before `end` begins: a name, call or subscript, with members.
/// Returns the number of pieces if there is none.
std::size_t operand_begin(const Pieces& pieces, std::size_t end)
{
    const std::size_t none = pieces.size();
    for (std::size_t i = end; i-- > 0;) {
        bool needs_name = false;
        while (pieces[i].kind == TokenKind::RightBracket || pieces[i].kind == TokenKind::RightParen) {
            const bool is_subscript = pieces[i].kind == TokenKind::RightBracket;
            i = is_subscript ? opening(pieces, i, TokenKind::LeftBracket, TokenKind::RightBracket)
                             : opening(pieces, i, TokenKind::LeftParen, TokenKind::RightParen);
            if (i == none)
                return none;
            const bool has_name =
                i > 0 && (pieces[i - 1].kind == TokenKind::Identifier || pieces[i - 1].kind == TokenKind::RightBracket);
            if (!is_subscript && !has_name)
                return i; // an expression in parentheses
            if (i == 0)
                return none;
            --i;
            needs_name = true;
        }
        const TokenKind kind = pieces[i].kind;
        if (kind != TokenKind::Identifier && kind != TokenKind::Keyword)
            return needs_name ? none : i + 1 < end ? i + 1 : none;
        if (i == 0 || (pieces[i - 1].kind != TokenKind::Dot && pieces[i - 1].kind != TokenKind::Arrow))
            return i;
        --i; // skips the operator and continues with the left side
    }
    return none;
}

/// Cuts the clause before the statement that contains the piece `at`, so that another statement can be appended.
void cut_clause(std::string_view text, const Scan& scan, std::size_t at, Context& context)
{
    std::size_t cut = 0, depth = 0;
    for (std::size_t i = 0; i < at; ++i) {
        const TokenKind kind = scan.pieces[i].kind;
        if (scan.where == Where::Predicate &&
            kind == TokenKind::Operator) { // the slash that begins the predicate; descriptions have no operators
            context.clause = std::string(text.substr(scan.begin, scan.pieces[i].begin - scan.begin)) + "{";
            context.closing = "}";
            return;
        }
        if (kind != TokenKind::LeftBrace && kind != TokenKind::RightBrace && kind != TokenKind::Semicolon)
            continue;
        depth += kind == TokenKind::LeftBrace;
        depth -= kind == TokenKind::RightBrace && depth > 0;
        cut = scan.pieces[i].end;
    }
    context.clause = text.substr(scan.begin, cut > scan.begin ? cut - scan.begin : 0);
    context.closing.assign(depth, '}');
}

Context in_clause(std::string_view text, const Scan& scan)
{
    const std::string_view word = last_name(text);
    const Pieces& pieces = scan.pieces;
    std::size_t end = pieces.size(); // index after the pieces that precede the word
    if (!word.empty() && end > 0 && pieces[end - 1].end >= text.size())
        --end;
    if (end < pieces.size() && pieces[end].kind == TokenKind::Aggregation)
        return of_kind(Context::Kind::Aggregation, word);
    if (text.ends_with('@'))
        return of_kind(Context::Kind::Aggregation, "");
    if (!word.empty() && word[0] >= '0' && word[0] <= '9')
        return {};
    const bool is_member =
        end > 0 && (pieces[end - 1].kind == TokenKind::Dot || pieces[end - 1].kind == TokenKind::Arrow);
    if (!is_member)
        return of_kind(Context::Kind::Name, word);
    const std::size_t begin = operand_begin(pieces, end - 1);
    if (begin >= pieces.size())
        return {};
    Context context = of_kind(Context::Kind::Member, word);
    context.expression = text.substr(pieces[begin].begin, pieces[end - 1].begin - pieces[begin].begin);
    cut_clause(text, scan, begin, context);
    return context;
}

Context in_control_line(std::string_view line)
{
    std::array<std::string_view, 3> words;
    for (std::string_view& word : words) {
        line = line.substr(std::min(line.find_first_not_of(" \t#"), line.size()));
        word = line.substr(0, line.find_first_of(" \t"));
        line.remove_prefix(word.size());
    }
    const bool sets_option = words == std::array<std::string_view, 3>{"pragma", "D", "option"} && !line.empty();
    return sets_option ? of_kind(Context::Kind::Option, last_word(line)) : Context{};
}

Context of_command(const CommandEntry& command, std::string_view text)
{
    if (command.operand == Operand::Probe)
        return of_description(Context::Kind::Probe, last_word(text));
    Context context =
        of_kind(command.operand == Operand::Option ? Context::Kind::Option : Context::Kind::Operand, last_word(text));
    context.operand = command.operand;
    return context;
}

} // namespace

Context context_of(std::string_view text)
{
    if (const CommandEntry* command = find_command(text);
        command && text.find_first_of(" \t") != std::string_view::npos)
        return of_command(*command, text);
    const std::string_view line = text.substr(text.rfind('\n') + 1); // npos + 1 is 0
    if (trimmed(line).starts_with('#'))
        return in_control_line(line);
    const Scan scanned = scan(text);
    if (scanned.in_comment || scanned.in_literal)
        return {};
    switch (scanned.where) {
    case Where::Outer:
        return of_kind(scanned.items.empty() ? Context::Kind::FirstWord : Context::Kind::Probe, "");
    case Where::Descriptions: {
        const Piece& last = scanned.pieces.back();
        const bool at_end = last.end == text.size();
        if (at_end && last.kind == TokenKind::Description)
            return of_description(scanned.items.empty() && scanned.pieces.size() == 1 ? Context::Kind::FirstWord
                                                                                      : Context::Kind::Probe,
                                  text.substr(last.begin));
        return last.kind == TokenKind::Comma ? of_kind(Context::Kind::Probe, "") : Context{};
    }
    case Where::Declaration:
        if (scanned.pieces.size() == 1 && scanned.pieces[0].end == text.size())
            return of_kind(Context::Kind::FirstWord, text.substr(scanned.pieces[0].begin));
        return in_clause(text, scanned);
    case Where::Predicate:
    case Where::Body:
        return in_clause(text, scanned);
    }
    return {};
}

} // namespace dt::shell
