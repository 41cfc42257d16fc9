// Parses the program as a sequence of items, performs the checks at its end, and recovers from errors.
#include "dcompiler/syntax/parser.hpp"

#include <algorithm>
#include <utility>

#include "dcompiler/suggest.hpp"
#include "dcompiler/syntax/hints.hpp"
#include "dcompiler/syntax/parser_state.hpp"

namespace dt::syntax {

namespace {

struct KeywordHint {
    Keyword keyword;
    std::string_view hint;
};

constexpr std::string_view kNoLoops = "D has no loops: let a probe fire often (tick-1s) or write the steps out";
constexpr std::string_view kNoJumps = "D has no such statement: use if/else, predicates or ?:";

constexpr std::string_view kDeclareOutside = "variables are declared outside of clauses, or just assigned: this->x = 1";

constexpr KeywordHint kKeywordHints[] = {
    {Keyword::For, kNoLoops},
    {Keyword::While, kNoLoops},
    {Keyword::Do, kNoLoops},
    {Keyword::Goto, kNoJumps},
    {Keyword::Switch, kNoJumps},
    {Keyword::Case, kNoJumps},
    {Keyword::Break, kNoJumps},
    {Keyword::Continue, kNoJumps},
    {Keyword::Default, kNoJumps},
    {Keyword::Int, kDeclareOutside},
    {Keyword::Char, kDeclareOutside},
    {Keyword::Long, kDeclareOutside},
    {Keyword::Unsigned, kDeclareOutside},
    {Keyword::Else, "there is no if before this else"},
    {Keyword::If, "if is a statement and no value: use ?: here"},
};

} // namespace

std::unique_ptr<ast::Ast> parse(const Source& source, SpecKind kind, const Macros& macros,
                                const CompileOptions& options, TypeNames& types, const ParseHooks& hooks,
                                Diagnostics& diagnostics)
{
    auto ast = std::make_unique<ast::Ast>();
    Parser(*ast, source, kind, macros, options, types, hooks, diagnostics).run();
    return ast;
}

Parser::Parser(ast::Ast& ast, const Source& source, SpecKind kind, const Macros& macros, const CompileOptions& options,
               TypeNames& types, const ParseHooks& hooks, Diagnostics& diagnostics)
    : ast_(ast), source_(source), kind_(kind), options_(options), types_(types), hooks_(hooks),
      diagnostics_(diagnostics), macros_(macros, options),
      control_lines_(source, ast, hooks, diagnostics, options.for_build),
      lexer_(source, macros_, types, kind == SpecKind::Script && !options.pspec, control_lines_, diagnostics)
{
}

void Parser::run()
{
    program();
    ast_.end = token_.at;
    check_end();
}

// program = { item }
void Parser::program()
{
    while (diagnostics_.count() < Diagnostics::kMost) {
        const std::size_t begin = lexer_.position();
        try {
            in_item_ = in_declaration_ = false;
            clause_ = nullptr;
            token_ = Token{};
            braces_ = 0;
            advance(Lexer::Mode::Outer);
            if (token_.is(TokenKind::End))
                return;
            in_item_ = true;
            item_begin_ = token_.at.offset;
            item();
        } catch (const Abandon&) {
            recover(begin);
        }
    }
}

// item = declaration | inline | translator | provider | clause
void Parser::item()
{
    if (token_.is(TokenKind::Description) || token_.is(TokenKind::Integer))
        return clause();
    in_declaration_ = true;
    in_provider_ = false; // may still be set after an error in a provider
    if (token_.is(Keyword::Static) && in_c_header())
        return lexer_.skip_item(item_begin_, braces_, in_declaration_); // skips a function of a C header with its body
    if (token_.is(Keyword::Inline))
        return inline_definition();
    if (token_.is(Keyword::Translator))
        return translator();
    if (token_.is(Keyword::Provider))
        return provider();
    if (token_.is(TokenKind::Keyword) || token_.is(TokenKind::Identifier))
        return declaration();
    in_declaration_ = false;
    syntax_error(token_.is(TokenKind::RightBrace) ? "there is no open { for this }" : "");
}

// Returns whether the token comes from a preprocessor include: C text, of which D understands only declarations.
bool Parser::in_c_header() const
{
    return token_.at.file && source_.kind == Source::Kind::Script;
}

void Parser::finish_item(ast::Item item)
{
    ast_.items.push_back(item);
    if (hooks_.item)
        hooks_.item(ast_.items.back());
}

void Parser::check_end()
{
    if (diagnostics_.has_errors())
        return;
    bool something = options_.empty || options_.for_build;
    something = something || source_.kind == Source::Kind::Library; // a library may have only declarations
    for (const ast::Item& item : ast_.items)
        something = something || (item.kind != ast::Item::Kind::Declaration && item.kind != ast::Item::Kind::Pragma);
    if (!something)
        diagnostics_.error("D_EMPTY", ast_.end, "empty D program translation unit", "write a clause: BEGIN { }");
    if (hooks_.end)
        hooks_.end(ast_.end);
    if (diagnostics_.has_errors())
        return;
    if (const auto number = macros_.unused()) {
        const std::string text = macros_.argument_text(*number);
        const bool is_clause = text.starts_with('{') || text.starts_with('/');
        diagnostics_.error("D_MACRO_UNUSED", ast_.end,
                           "extraneous argument '" + text + "' ($" + std::to_string(*number) + " is not referenced)",
                           is_clause && source_.kind == Source::Kind::CommandLine
                               ? "probe and clause are one argument: quote them together, 'PROBE { ... }'"
                               : "");
    }
}

// ---- tokens -------------------------------------------------------------------------------------------------------

void Parser::advance(Lexer::Mode mode)
{
    if (token_.is(TokenKind::LeftBrace))
        ++braces_;
    else if (token_.is(TokenKind::RightBrace) && braces_ != 0)
        --braces_;
    last_ = token_.at;
    token_.kind = TokenKind::End; // the token is consumed even if next() throws
    token_ = lexer_.next(mode);
}

bool Parser::accept(TokenKind kind)
{
    if (!token_.is(kind))
        return false;
    advance();
    return true;
}

void Parser::require(TokenKind kind, std::string_view hint)
{
    if (!token_.is(kind))
        syntax_error(hint);
}

void Parser::expect(TokenKind kind, std::string_view hint)
{
    require(kind, hint);
    advance();
}

void Parser::expect(ast::Operator op)
{
    if (!token_.is(op))
        syntax_error();
    advance();
}

// ---- errors -------------------------------------------------------------------------------------------------------

void Parser::fail(std::string_view tag, const Span& at, std::string message, std::string hint)
{
    if (const ast::Clause* broken = std::exchange(clause_, nullptr); broken && hooks_.broken_clause)
        hooks_.broken_clause(*broken);
    diagnostics_.error(tag, at, std::move(message), std::move(hint));
    lexer_.put_back();
    throw Abandon{};
}

void Parser::syntax_error(std::string_view hint)
{
    std::string message = "syntax error near ";
    if (token_.is(TokenKind::End))
        message += "end of input";
    else
        message += "\"" + std::string(token_.raw.substr(0, token_.raw.find('\n'))) + "\"";
    if (hint.empty() || !token_.is(TokenKind::End))
        if (const std::string_view better = hint_for_token(); !better.empty())
            hint = better;
    const std::string from_text = hint_from_text();
    if (!from_text.empty())
        hint = from_text;
    if (hint.empty() && token_.raw.starts_with('/') && source_.kind == Source::Kind::CommandLine)
        hint = "an operand is missing in front of this; between double quotes the shell replaces $names, so use single "
               "ones";
    fail("D_SYNTAX", token_.at, std::move(message), std::string(hint));
}

// Returns a hint for errors whose cause is further left.
std::string Parser::hint_from_text() const
{
    const std::string_view text = source_.text;
    if (std::string hint = systemtap_hint(text.substr(std::min(item_begin_, text.size()))); !hint.empty())
        return hint;
    if (token_.is(TokenKind::Identifier))
        if (std::string hint = number_hint(text, token_.at.offset); !hint.empty())
            return hint;
    if (clause_ && clause_->body.empty() && !clause_->descriptions.empty()) {
        const ast::ProbeDesc& last = clause_->descriptions.back();
        const std::size_t end = last.at.offset + last.at.length;
        if (text.substr(end, 1) == "/")
            if (std::string hint = bpftrace_path_hint(last.text, text.substr(end)); !hint.empty())
                return hint;
    }
    const bool names_type = in_declaration_ || token_.is(TokenKind::Description);
    return names_type ? unknown_type_hint(text.substr(item_begin_, token_.at.offset - item_begin_), types_)
                      : std::string();
}

std::string_view Parser::hint_for_token() const
{
    for (const KeywordHint& entry : kKeywordHints)
        if (token_.is(entry.keyword))
            return entry.hint;
    return token_.is(TokenKind::Identifier) ? foreign_word(token_.raw) : std::string_view();
}

void Parser::too_deep()
{
    fail("D_SYNTAX", token_.at, "nesting is deeper than " + std::to_string(kMaxNesting) + " levels");
}

// Continues after the abandoned item. After a lexical error between items the lexer has already passed it.
void Parser::recover(std::size_t before)
{
    waiting_.clear();
    if (in_item_)
        lexer_.skip_item(item_begin_, braces_, in_declaration_);
    if (lexer_.position() == before)
        lexer_.skip_character();
}

} // namespace dt::syntax
