#include "cmd/shell/scan.hpp"

#include <optional>
#include <string>

#include "dcompiler/syntax/lexer.hpp"

namespace dt::shell {
namespace {

using syntax::Token;
using syntax::TokenKind;

/// Accepts any word as a type, because the scanner does not know the program's types.
class AnyType final : public syntax::TypeNames {
public:
    bool is_type(std::string_view) override { return true; }
};

class Scanner {
public:
    explicit Scanner(std::string_view text)
        : text_(text), source_{Source::Kind::Script, "", std::string(text) + "\n"},
          control_lines_(source_, ast_, hooks_, diagnostics_),
          lexer_(source_, macros_, types_, false, control_lines_, diagnostics_)
    {
    }

    Scan run()
    {
        while (const std::optional<Token> token = next())
            take(*token);
        finish_control_lines();
        return std::move(scan_);
    }

private:
    /// Returns the next token, or nothing at the end. Skips text that the lexer rejects; the compiler will report it.
    std::optional<Token> next()
    {
        for (;;) {
            const std::size_t before = lexer_.position();
            try {
                Token token = lexer_.next(mode());
                return token.is(TokenKind::End) ? std::nullopt : std::optional(std::move(token));
            } catch (const syntax::ParseAbort&) {
                if (!pass_over(before))
                    return std::nullopt;
            }
        }
    }

    bool pass_over(std::size_t before)
    {
        const bool at_end = lexer_.position() >= text_.size();
        scan_.in_comment = lexer_.position() == source_.text.size();
        scan_.in_literal = at_end && !scan_.in_comment;
        diagnostics_.rewind(0);
        if (!at_end && lexer_.position() == before)
            lexer_.skip_character();
        return !at_end;
    }

    syntax::Lexer::Mode mode() const
    {
        switch (scan_.where) {
        case Where::Outer:
            return syntax::Lexer::Mode::Outer;
        case Where::Descriptions:
            return syntax::Lexer::Mode::Descriptions;
        default:
            return syntax::Lexer::Mode::Inside;
        }
    }

    void take(const Token& token)
    {
        const std::size_t begin = token.at.offset, end = begin + token.raw.size();
        if (scan_.where == Where::Outer && token.is(TokenKind::Semicolon) && !scan_.items.empty())
            return extend_item(end); // D allows a semicolon after a clause
        scan_.pieces.push_back({token.kind, begin, end});
        switch (scan_.where) {
        case Where::Outer:
            scan_.where = token.is(TokenKind::Description) || token.is(TokenKind::Integer) ? Where::Descriptions
                                                                                           : Where::Declaration;
            break;
        case Where::Descriptions:
            if (token.is(ast::Operator::Slash))
                enter(Where::Predicate);
            else if (token.is(TokenKind::LeftBrace))
                enter(Where::Body);
            break;
        case Where::Predicate:
            if (token.is(TokenKind::ClosingSlash))
                enter(Where::Descriptions);
            break;
        case Where::Body:
        case Where::Declaration:
            inside(token, end);
            break;
        }
    }

    void inside(const Token& token, std::size_t end)
    {
        if (token.is(TokenKind::LeftBrace))
            ++depth_;
        if (token.is(TokenKind::RightBrace) && depth_ > 0)
            --depth_;
        const bool ends = scan_.where == Where::Body ? depth_ == 0 : depth_ == 0 && token.is(TokenKind::Semicolon);
        if (ends)
            end_item(end);
    }

    void enter(Where where)
    {
        scan_.where = where;
        depth_ = where == Where::Body ? 1 : 0;
        lexer_.set_predicate(where == Where::Predicate);
    }

    void end_item(std::size_t end)
    {
        scan_.items.push_back(trimmed(text_.substr(scan_.begin, end - scan_.begin)));
        scan_.pieces.clear();
        scan_.begin = end;
        enter(Where::Outer);
    }

    void extend_item(std::size_t end)
    {
        const std::string_view last = scan_.items.back();
        const auto begin = static_cast<std::size_t>(last.data() - text_.data());
        scan_.items.back() = text_.substr(begin, end - begin);
        scan_.begin = end;
    }

    /// If pragmas follow the last clause, adds them as an item, together with comments between and after them.
    void finish_control_lines()
    {
        const std::string_view rest = trimmed(text_.substr(scan_.begin));
        if (scan_.is_open() || (!rest.starts_with('#') && rest.find("\n#") == std::string_view::npos))
            return;
        scan_.items.push_back(rest);
        scan_.begin = text_.size();
    }

    const std::string_view text_;
    const Source source_;
    const Macros no_macros_;
    const CompileOptions no_options_;
    const syntax::ParseHooks hooks_;
    syntax::MacroTable macros_{no_macros_, no_options_};
    AnyType types_;
    ast::Ast ast_;
    Diagnostics diagnostics_;
    syntax::ControlLines control_lines_;
    syntax::Lexer lexer_;
    Scan scan_;
    unsigned depth_ = 0;
};

} // namespace

Scan scan(std::string_view text)
{
    return Scanner(text).run();
}

std::string_view trimmed(std::string_view text)
{
    static constexpr std::string_view kBlank = " \t\n\v\f\r";
    const auto begin = text.find_first_not_of(kBlank);
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

} // namespace dt::shell
