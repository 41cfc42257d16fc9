// Parses clauses: descriptions, predicate, statements (dtrace-language(7), PROGRAMS).
#include "dcompiler/syntax/parser_state.hpp"
#include "dcompiler/syntax/probe_description.hpp"

namespace dt::syntax {

namespace {

// Returns whether the token can begin a statement, which suggests that a semicolon is missing.
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

/// Returns a hint about macros such as $1 without a corresponding argument.
std::string macro_hint(std::string_view description, std::string_view message)
{
    const std::size_t at = description.find('$');
    if (message.find("Undefined macro") == message.npos || at == description.npos ||
        description.substr(at + 1, 1).find_first_of("123456789") == std::string_view::npos)
        return {};
    const std::string_view digits =
        description.substr(at + 1, description.find_first_not_of("0123456789", at + 1) - at - 1);
    return "$" + std::string(digits) + " is argument " + std::string(digits) +
           " behind the options: dtrace -n 'PROGRAM' ARGUMENTS, or ./script.d ARGUMENTS";
}

} // namespace

// clause = description { "," description } [ "/" predicate "/" ] "{" statements "}"
// In the text of options such as -n, a bare description list means an empty body.
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
            syntax_error("a probe description holds no blanks, and a clause needs its { }");
        const std::string& described = clause->descriptions.back().text;
        const bool is_rate = token_.is(TokenKind::Integer) && (described == "tick" || described == "profile");
        expect(TokenKind::LeftBrace, token_.is(TokenKind::End) ? "a clause needs its actions: { }"
                                     : is_rate                 ? "a rate belongs to the name: tick-1s, profile-99"
                                     : token_.raw == "("       ? "the actions of a clause stand in braces: { }"
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
            fail("D_PDESC_INVAL", token_.at, unknown, "-i takes the number of a probe, as dtrace -l shows it");
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
// Leaves token_ on the brace.
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
    expect(TokenKind::LeftParen, "the condition of an if stands in parentheses");
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

} // namespace dt::syntax
