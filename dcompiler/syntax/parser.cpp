// Parses the program as a sequence of items, performs the checks at the end of the source text, and recovers from
// errors. This file parses clauses and definitions with bodies; other files parse declarations and expressions.
#include "dcompiler/syntax/parser.hpp"

#include <algorithm>
#include <utility>

#include "dcompiler/interface/suggest.hpp"
#include "dcompiler/syntax/parser_state.hpp"

namespace dt::syntax {

namespace {

struct KeywordHint {
    Keyword keyword;
    std::string_view hint;
};

constexpr std::string_view kNoLoops =
    "D has no loops: use a probe that fires repeatedly (tick-1s), or write one statement for each step";
constexpr std::string_view kNoJumps = "D has no such statement: use if/else, predicates or ?:";

constexpr std::string_view kDeclareOutside =
    "declare variables outside of clauses, or just assign to them: this->x = 1";

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
    {Keyword::If, "if is a statement and not an expression: use ?: here"},
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
    while (diagnostics_.count() < Diagnostics::kMax) {
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
        } catch (const ParseAbort&) {
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
    in_provider_ = false; // after an error inside a provider, in_provider_ may still be set
    if (token_.is(Keyword::Static) && in_c_header())
        // skips a function that a C header defines, with its body
        return lexer_.skip_item(item_begin_, braces_, in_declaration_);
    if (token_.is(Keyword::Inline))
        return inline_definition();
    if (token_.is(Keyword::Translator))
        return translator();
    if (token_.is(Keyword::Provider))
        return provider();
    if (token_.is(TokenKind::Keyword) || token_.is(TokenKind::Identifier))
        return declaration();
    in_declaration_ = false;
    syntax_error(token_.is(TokenKind::RightBrace) ? "there is no { for this }" : "");
}

// Returns whether the token comes from a file that the preprocessor included. Such a file is a C header, of which D
// understands only the declarations.
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
    something = something || source_.kind == Source::Kind::Library; // a library need not contain clauses
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
                               ? "probe and clause must be one argument: quote them together, 'PROBE { ... }'"
                               : "");
    }
}

// ---- access to the tokens of the lexer ----------------------------------------------------------------------------

void Parser::advance(Lexer::Mode mode)
{
    if (token_.is(TokenKind::LeftBrace))
        ++braces_;
    else if (token_.is(TokenKind::RightBrace) && braces_ != 0)
        --braces_;
    last_ = token_.at;
    token_.kind = TokenKind::End; // the token counts as used even if next() throws
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

// ---- reports of syntax errors -------------------------------------------------------------------------------------

void Parser::fail(std::string_view tag, const Span& at, std::string message, std::string hint)
{
    if (const ast::Clause* broken = std::exchange(clause_, nullptr); broken && hooks_.broken_clause)
        hooks_.broken_clause(*broken);
    diagnostics_.error(tag, at, std::move(message), std::move(hint));
    lexer_.put_back();
    throw ParseAbort{};
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
        hint =
            "an operand is missing before this; inside double quotes the shell replaces $names, so use single quotes";
    fail("D_SYNTAX", token_.at, std::move(message), std::string(hint));
}

// Returns a hint for an error whose cause is before the reported position.
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

// Skips the rest of the item with the error. If the lexer has failed between two items, it has already skipped the
// wrong character, and this function skips nothing.
void Parser::recover(std::size_t before)
{
    waiting_.clear();
    if (in_item_)
        lexer_.skip_item(item_begin_, braces_, in_declaration_);
    if (lexer_.position() == before)
        lexer_.skip_character();
}

// Parses clauses: descriptions, predicate, statements (dtrace-language(7), PROGRAMS).

namespace {

// Returns whether the token can begin a statement. Then the user probably forgot a semicolon before it.
bool begins_statement(const Token& token)
{
    switch (token.kind) {
    case TokenKind::Identifier:
    case TokenKind::Aggregation:
    case TokenKind::Macro:
    case TokenKind::String:
        return true;
    case TokenKind::Keyword:
        return token.keyword == Keyword::Self || token.keyword == Keyword::This || token.keyword == Keyword::If;
    default:
        return false;
    }
}

/// Returns a hint if the text contains a macro such as $1 for which the script has no argument.
std::string macro_hint(std::string_view description, std::string_view message)
{
    const std::size_t at = description.find('$');
    if (message.find("Undefined macro") == message.npos || at == description.npos ||
        description.substr(at + 1, 1).find_first_of("123456789") == std::string_view::npos)
        return {};
    const std::string_view digits =
        description.substr(at + 1, description.find_first_not_of("0123456789", at + 1) - at - 1);
    return "$" + std::string(digits) + " is argument " + std::string(digits) +
           " after the options: dtrace -n 'PROGRAM' ARGUMENTS, or ./script.d ARGUMENTS";
}

} // namespace

// clause = description { "," description } [ "/" predicate "/" ] "{" statements "}"
//
// In the source text of -n and similar options, descriptions without braces are a clause with an empty body.
void Parser::clause()
{
    ast::Clause* clause = ast_.clause();
    clause->at = token_.at;
    clause_ = clause;
    clause->descriptions.push_back(description());
    for (advance(Lexer::Mode::Descriptions); token_.is(TokenKind::Comma); advance(Lexer::Mode::Descriptions)) {
        advance(Lexer::Mode::Descriptions);
        if (!token_.is(TokenKind::Description) && !token_.is(TokenKind::Integer))
            syntax_error("a probe description is missing");
        clause->descriptions.push_back(description());
    }
    if (token_.is(ast::Operator::Slash))
        clause->predicate = predicate();
    const bool bare = token_.is(TokenKind::End) && kind_ != SpecKind::Script && !clause->predicate;
    if (!bare) {
        if (token_.is(TokenKind::Description))
            syntax_error("a probe description may not contain blanks, and a clause needs { }");
        const std::string& described = clause->descriptions.back().text;
        const bool is_rate = token_.is(TokenKind::Integer) && (described == "tick" || described == "profile");
        expect(TokenKind::LeftBrace, token_.is(TokenKind::End) ? "a clause needs its actions in braces: { }"
                                     : is_rate                 ? "a rate is part of the probe name: tick-1s, profile-99"
                                     : token_.raw == "("       ? "the actions of a clause must be in braces: { }"
                                                               : "");
        statements(clause->body);
    }
    clause_ = nullptr;
    ast::Item item;
    item.clause = clause;
    finish_item(item);
}

// description = DESCRIPTION | INT
ast::ProbeDesc Parser::description()
{
    const std::string text(token_.raw);
    const std::string unknown = "invalid probe identifier " + text + ": Unknown probe identifier";
    if (token_.is(TokenKind::Description)) {
        if (kind_ == SpecKind::ProbeId)
            fail("D_PDESC_INVAL", token_.at, unknown, "-i takes the ID of a probe, which dtrace -l shows");
        auto parsed = parse_description(text, kind_, macros_);
        if (!parsed)
            fail("D_PDESC_INVAL", token_.at, parsed.error().message, macro_hint(text, parsed.error().message));
        parsed->at = token_.at;
        return std::move(*parsed);
    }
    if (kind_ == SpecKind::Provider || kind_ == SpecKind::Module || kind_ == SpecKind::Function)
        fail("D_PDESC_INVAL", token_.at, "probe identifier " + text + " is not permitted here",
             "use -i or -n for a probe id");
    if (token_.number > UINT32_MAX)
        fail("D_PDESC_INVAL", token_.at, unknown);
    ast::ProbeDesc description;
    description.at = token_.at;
    description.text = text;
    description.id = static_cast<uint32_t>(token_.number);
    return description;
}

// predicate = expression CLOSING-SLASH
ast::Expr* Parser::predicate()
{
    lexer_.set_predicate(true);
    advance();
    ast::Expr* expr = expression();
    require(TokenKind::ClosingSlash, "a predicate ends with a / before its {");
    lexer_.set_predicate(false);
    advance(Lexer::Mode::Descriptions);
    return expr;
}

// statements = { ";" | if | expression ( ";" | before "}" ) } "}"
//
// After this rule, token_ is the closing brace.
void Parser::statements(std::vector<ast::Stmt*>& into)
{
    for (;;) {
        while (token_.is(TokenKind::Semicolon))
            advance();
        if (token_.is(TokenKind::RightBrace))
            return;
        if (token_.is(TokenKind::End))
            syntax_error("a { is not closed");
        if (token_.is(Keyword::If)) {
            into.push_back(if_statement());
            continue;
        }
        into.push_back(expression_statement());
        if (!token_.is(TokenKind::Semicolon) && !token_.is(TokenKind::RightBrace))
            syntax_error(begins_statement(token_) ? "a ; is missing before this statement" : "");
    }
}

ast::Stmt* Parser::expression_statement()
{
    const Span first = token_.at;
    ast::Expr* expr = expression();
    ast::Stmt* statement = ast_.stmt();
    statement->expr = expr;
    statement->at = created_now(first);
    return statement;
}

// if = "if" "(" expression ")" arm [ "else" arm ]
ast::Stmt* Parser::if_statement()
{
    Nest nest(*this);
    ast::Stmt* statement = ast_.stmt();
    statement->kind = ast::StmtKind::If;
    statement->at = token_.at;
    advance();
    expect(TokenKind::LeftParen, "the condition of an if must be in parentheses");
    statement->expr = expression();
    expect(TokenKind::RightParen);
    statement->body.push_back(arm());
    if (token_.is(Keyword::Else)) {
        advance();
        statement->body.push_back(arm());
    }
    return statement;
}

// arm = "{" statements "}" | if | ";" | expression ( ";" | before "}" )
ast::Stmt* Parser::arm()
{
    if (token_.is(Keyword::If))
        return if_statement();
    if (accept(TokenKind::Semicolon))
        return ast_.stmt();
    if (token_.is(TokenKind::LeftBrace)) {
        ast::Stmt* block = ast_.stmt();
        block->kind = ast::StmtKind::Block;
        block->at = token_.at;
        advance();
        statements(block->body);
        advance();
        return block;
    }
    ast::Stmt* statement = expression_statement();
    if (!accept(TokenKind::Semicolon) && !token_.is(TokenKind::RightBrace))
        syntax_error("a ; is missing before this");
    return statement;
}

// Parses definitions with bodies: inlines, translators, providers (dtrace-language(7), inline, translator, provider).

// inline = "inline" specifiers declarator "=" assignment ";"
void Parser::inline_definition()
{
    ast::Inline* definition = ast_.inline_definition();
    advance();
    definition->spec = specifiers(SpecContext::Inline);
    definition->declarator = declarator(Naming::Required);
    definition->at = definition->declarator->at;
    check_separator(*definition->declarator);
    expect(ast::Operator::Assign);
    definition->value = assignment();
    require(TokenKind::Semicolon);
    ast::Item item;
    item.kind = ast::Item::Kind::Inline;
    item.inline_ = definition;
    finish_item(item);
}

// translator = "translator" type-name "<" specifiers declarator ">" "{" { NAME "=" assignment ";" } "}" ";"
void Parser::translator()
{
    ast::Translator* translator = ast_.translator();
    translator->at = token_.at;
    advance();
    translator->output = type_name();
    expect(ast::Operator::Less);
    translator->input = ast_.type_name();
    translator->input->spec = specifiers(SpecContext::TypeName);
    translator->input->declarator = declarator(Naming::Required);
    translator->parameter = translator->input->declarator->name;
    expect(ast::Operator::Greater);
    expect(TokenKind::LeftBrace);
    while (!token_.is(TokenKind::RightBrace)) {
        require(TokenKind::Identifier);
        ast::TranslatorMember member;
        member.at = token_.at;
        member.name = token_.text;
        advance();
        expect(ast::Operator::Assign);
        member.value = assignment();
        expect(TokenKind::Semicolon);
        translator->members.push_back(std::move(member));
    }
    advance();
    require(TokenKind::Semicolon, "a translator ends with };");
    ast::Item item;
    item.kind = ast::Item::Kind::Translator;
    item.translator = translator;
    finish_item(item);
}

// provider = "provider" NAME "{" { probe } "}" [ ";" ]
//
// Other tracers' build tools accept a provider without the semicolon, and some files lack it.
void Parser::provider()
{
    ast::ProviderDef* provider = ast_.provider();
    advance();
    require(TokenKind::Identifier);
    provider->at = token_.at;
    provider->name = token_.text;
    advance();
    expect(TokenKind::LeftBrace);
    while (!token_.is(TokenKind::RightBrace))
        provider->probes.push_back(provider_probe());
    if (lexer_.peek_past_comments() == ';')
        advance();
    ast::Item item;
    item.kind = ast::Item::Kind::Provider;
    item.provider = provider;
    finish_item(item);
}

// probe = "probe" NAME parameters [ ":" parameters ] ";"
ast::ProviderProbe Parser::provider_probe()
{
    if (!token_.is(Keyword::Probe))
        syntax_error("a provider's body lists probes: probe NAME(types);");
    advance();
    // the name is only a part of a C name and may be a keyword, as in `probe return()`
    if (!token_.is(TokenKind::Keyword))
        require(TokenKind::Identifier);
    ast::ProviderProbe probe;
    probe.at = token_.at;
    probe.name = token_.text;
    advance();
    probe.input = provider_parameters();
    if (accept(TokenKind::Colon)) {
        probe.has_output = true;
        probe.output = provider_parameters();
    }
    expect(TokenKind::Semicolon);
    return probe;
}

// parameters = "(" [ parameter { "," parameter } ] ")"
std::vector<ast::Parameter> Parser::provider_parameters()
{
    in_provider_ = true;
    expect(TokenKind::LeftParen);
    bool variadic = false;
    auto list = parameters(TokenKind::RightParen, variadic);
    in_provider_ = false;
    if (variadic)
        fail("D_DECL_PROTO_VARARGS", last_, "probe prototype may not use a variable-length argument list");
    return list;
}

} // namespace dt::syntax
