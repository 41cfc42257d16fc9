// Parses definitions with bodies: inlines, translators, providers (dtrace-language(7), inline, translator, provider).
#include "dcompiler/syntax/parser_state.hpp"

namespace dt::syntax {

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
// Build tools of other tracers accept a provider without the semicolon, and such files exist.
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
    if (!token_.is(TokenKind::Keyword)) // `probe return()`: the C name contains the keyword only as a part
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
