// Parses declarations: specifiers, declarators, type names (dtrace-language(7), GRAMMAR).
//
// The parser checks only rules of the grammar: for example, two storage classes or two types, and attributes that do
// not fit the type. The checker handles rules that depend on the meaning of a name.
#include <algorithm>

#include "dcompiler/syntax/parser_state.hpp"

namespace dt::syntax {

namespace {

using ast::BaseKind;
using ast::Declarator;
using ast::DeclPart;
using ast::DeclSpec;
using ast::StorageClass;

StorageClass storage_of(const Token& token)
{
    switch (token.keyword) {
    case Keyword::Auto:
        return StorageClass::Auto;
    case Keyword::Register:
        return StorageClass::Register;
    case Keyword::Static:
        return StorageClass::Static;
    case Keyword::Extern:
        return StorageClass::Extern;
    case Keyword::Typedef:
        return StorageClass::Typedef;
    case Keyword::Self:
        return StorageClass::Self;
    case Keyword::This:
        return StorageClass::This;
    default:
        return StorageClass::None;
    }
}

BaseKind base_of(const Token& token)
{
    switch (token.keyword) {
    case Keyword::Char:
        return BaseKind::Char;
    case Keyword::Double:
        return BaseKind::Double;
    case Keyword::Enum:
        return BaseKind::Enum;
    case Keyword::Float:
        return BaseKind::Float;
    case Keyword::Int:
        return BaseKind::Int;
    case Keyword::String:
        return BaseKind::String;
    case Keyword::Struct:
        return BaseKind::Struct;
    case Keyword::Union:
        return BaseKind::Union;
    case Keyword::Void:
        return BaseKind::Void;
    default:
        return BaseKind::None;
    }
}

bool is_attribute(const Token& token)
{
    switch (token.keyword) {
    case Keyword::Const:
    case Keyword::Long:
    case Keyword::Restrict:
    case Keyword::Short:
    case Keyword::Signed:
    case Keyword::Unsigned:
    case Keyword::Volatile:
        return true;
    default:
        return false;
    }
}

bool is_qualifier(const Token& token)
{
    return token.is(Keyword::Const) || token.is(Keyword::Volatile) || token.is(Keyword::Restrict);
}

// Returns whether the token is a keyword in D but an ordinary name in C.
bool is_name_in_c(const Token& token)
{
    switch (token.keyword) {
    case Keyword::Counter:
    case Keyword::Import:
    case Keyword::Probe:
    case Keyword::Provider:
    case Keyword::Self:
    case Keyword::Stringof:
    case Keyword::This:
    case Keyword::Translator:
    case Keyword::Xlate:
        return token.is(TokenKind::Keyword);
    default:
        return false;
    }
}

bool has_size(const DeclSpec& spec)
{
    return spec.longs != 0 || spec.is_short;
}
bool has_sign(const DeclSpec& spec)
{
    return spec.is_signed || spec.is_unsigned;
}

// Returns whether the word before this character cannot be the name of a type. The parser then does not look up the
// word, because a look-up may read the kernel's types.
bool rules_out_type(char follows)
{
    return std::string_view("+-/%=<>!&|?.^").find(follows) != std::string_view::npos;
}

// Returns whether the declarator ends before this character. After "unsigned long", a type's name is an error, unless
// no other name follows: then it is the declared name.
bool ends_declarator(char follows)
{
    return follows == ';' || follows == ',' || follows == '[';
}

} // namespace

// declaration = specifiers [ declarator { "," declarator } ] ";"
void Parser::declaration()
{
    ast::Declaration* declaration = ast_.declaration();
    declaration->spec = specifiers(SpecContext::Declaration);
    if (!token_.is(TokenKind::Semicolon)) {
        declaration->declarators.push_back(declarator(Naming::Required));
        check_separator(*declaration->declarators.back());
        while (accept(TokenKind::Comma)) {
            declaration->declarators.push_back(declarator(Naming::Required));
            check_separator(*declaration->declarators.back());
        }
        require(TokenKind::Semicolon,
                token_.is(TokenKind::LeftBrace) ? "is a ; missing after the declaration before this?" : "");
    }
    const DeclSpec& spec = *declaration->spec;
    const bool defines = spec.base == BaseKind::Struct || spec.base == BaseKind::Union || spec.base == BaseKind::Enum;
    if (declaration->declarators.empty() && !defines)
        fail("D_DECL_USELESS", spec.at, "declaration has no effect: it names nothing");
    ast::Item item;
    item.kind = ast::Item::Kind::Declaration;
    item.declaration = declaration;
    finish_item(item);
}

// Detects two names in a row, of which the first is the name of a type, as in `int string string;`.
void Parser::check_separator(const Declarator& declarator)
{
    if ((token_.is(Keyword::String) || token_.is(TokenKind::Identifier)) &&
        (declarator.name == "string" || types_.is_type(declarator.name)))
        fail("D_DECL_IDENT", token_.at, "old-style declaration or incorrect type specified");
}

// ---- parsing of specifiers ----------------------------------------------------------------------------------------

// specifiers = { storage-class | attribute | base-type }
DeclSpec* Parser::specifiers(SpecContext context)
{
    DeclSpec* spec = ast_.spec();
    spec->at = token_.at;
    bool any = false;
    for (;; any = true) {
        if (token_.is(TokenKind::Keyword) && storage_of(token_) != StorageClass::None) {
            if (any && is_parameter_name())
                break; // the keyword is the name of a parameter in a provider's probe, as in `int self`
            storage_class(*spec, context);
        } else if (!attribute(*spec) && !type_specifier(*spec))
            break;
    }
    if (!any)
        nothing_specified(context);
    check_attributes(*spec);
    return spec;
}

void Parser::nothing_specified(SpecContext context)
{
    if (token_.is(TokenKind::Identifier) && (context == SpecContext::Parameter || context == SpecContext::TypeName))
        unknown_type(token_.at, token_.text);
    syntax_error(token_.is(TokenKind::Identifier) ? unknown_type_text(token_.text) : "");
}

void Parser::storage_class(DeclSpec& spec, SpecContext context)
{
    const StorageClass storage = storage_of(token_);
    const bool from_c =
        storage == StorageClass::Auto || storage == StorageClass::Register || storage == StorageClass::Static;
    if (context == SpecContext::Member || context == SpecContext::TypeName)
        syntax_error();
    if (spec.storage != StorageClass::None)
        fail("D_DECL_CLASS", token_.at, "only one storage class allowed in declaration");
    if (context == SpecContext::Parameter && storage != StorageClass::Register)
        fail("D_DECL_PARMCLASS", token_.at, "inappropriate storage class for function or associative array parameter");
    if (context == SpecContext::Inline || (context == SpecContext::Declaration && from_c))
        fail("D_DECL_BADCLASS", token_.at, "specified storage class not appropriate in D");
    spec.storage = storage;
    advance();
}

bool Parser::attribute(DeclSpec& spec)
{
    if (!token_.is(TokenKind::Keyword) || !is_attribute(token_))
        return false;
    switch (token_.keyword) {
    case Keyword::Long:
        spec.longs = static_cast<uint8_t>(std::min(spec.longs + 1, 3));
        break;
    case Keyword::Short:
        spec.is_short = true;
        break;
    case Keyword::Signed:
        spec.is_signed = true;
        break;
    case Keyword::Unsigned:
        spec.is_unsigned = true;
        break;
    case Keyword::Const:
        spec.is_const = true;
        break;
    case Keyword::Volatile:
        spec.is_volatile = true;
        break;
    default:
        spec.is_restrict = true;
        break;
    }
    advance();
    return true;
}

// base-type = "int" | … | ( "struct" | "union" ) record | "enum" enumeration | TYPE-NAME
//
// After a type such as `int`, the word `string` and names of types are names to declare: `int foo_t;` and `unsigned
// foo_t;` declare foo_t.
bool Parser::type_specifier(DeclSpec& spec)
{
    const bool has_base = spec.base != BaseKind::None;
    if (token_.is(TokenKind::Identifier)) {
        const bool is_bool = token_.text == "_Bool";
        const bool has_integer = spec.longs != 0 || spec.is_short || spec.is_signed || spec.is_unsigned;
        if (has_base || (has_integer && ends_declarator(lexer_.peek())))
            return false;
        // A parameter of a provider's probe may have a type that only the traced program defines.
        const bool is_foreign = in_provider_ && !has_integer;
        if (!is_bool && !types_.is_type(token_.text) && !is_foreign)
            return false;
        spec.base = is_bool ? BaseKind::Bool : BaseKind::Named;
        spec.name = is_bool ? "" : token_.text;
        advance();
        return true;
    }
    const BaseKind kind = token_.is(TokenKind::Keyword) ? base_of(token_) : BaseKind::None;
    if (kind == BaseKind::None || (kind == BaseKind::String && has_base))
        return false;
    if (has_base)
        fail("D_DECL_COMBO", token_.at, "invalid type combination", "is a ; missing before this type?");
    spec.base = kind;
    advance();
    if (kind == BaseKind::Enum)
        enumeration(spec);
    else if (kind == BaseKind::Struct || kind == BaseKind::Union)
        record(spec);
    return true;
}

void Parser::check_attributes(const DeclSpec& spec)
{
    const BaseKind base = spec.base;
    const bool floating = base == BaseKind::Float || base == BaseKind::Double;
    const bool record = base == BaseKind::Struct || base == BaseKind::Union || base == BaseKind::Enum;
    if (base == BaseKind::Char && has_size(spec))
        fail("D_DECL_CHARATTR", spec.at, "invalid type declaration: short and long may not be used with char");
    if (base == BaseKind::Void && (has_size(spec) || has_sign(spec)))
        fail("D_DECL_VOIDATTR", spec.at, "invalid type declaration: attributes may not be used with void");
    if (has_sign(spec) && (floating || record || base == BaseKind::String))
        fail("D_DECL_SIGNINT", spec.at,
             "invalid type declaration: signed and unsigned may only be used with integer types");
    if (has_size(spec) && (record || base == BaseKind::String))
        fail("D_DECL_LONGINT", spec.at,
             "invalid type declaration: long and short may only be used with arithmetic types");
    const bool mixed = (spec.longs != 0 && spec.is_short) || (spec.is_signed && spec.is_unsigned) || spec.longs > 2;
    const bool bad_float = floating && (spec.is_short || spec.longs > (base == BaseKind::Double ? 1 : 0));
    if (mixed || bad_float || (base == BaseKind::Bool && (has_size(spec) || has_sign(spec))))
        fail("D_UNKNOWN", spec.at, "failed to resolve type: no type has this combination of attributes");
}

// tag = [ NAME ], before "{" or anything else
void Parser::tag(DeclSpec& spec)
{
    const Span at = token_.at;
    if (token_.is(TokenKind::Identifier)) {
        spec.name = token_.text;
        advance();
    }
    spec.defines = token_.is(TokenKind::LeftBrace);
    if (spec.defines)
        check_declared(at, spec.name);
    else if (spec.name.empty())
        syntax_error();
}

// record = tag [ "{" member { member } "}" ]
void Parser::record(DeclSpec& spec)
{
    Nest nest(*this);
    tag(spec);
    if (!spec.defines)
        return;
    advance();
    const bool may_be_empty = in_c_header();
    while (!token_.is(TokenKind::RightBrace) || (spec.members.empty() && !may_be_empty))
        spec.members.push_back(member());
    advance();
}

// member = specifiers field { "," field } ";" | ( "struct" | "union" ) "{" member { member } "}" ";"
// field = declarator [ ":" constant ] | ":" constant
ast::MemberDecl* Parser::member()
{
    ast::MemberDecl* member = ast_.member();
    member->spec = specifiers(SpecContext::Member);
    do {
        Declarator* field = nullptr;
        const bool anonymous = token_.is(TokenKind::Semicolon) && member->spec->defines && member->spec->name.empty();
        if (token_.is(TokenKind::Colon) || anonymous) {
            field = ast_.declarator();
            field->at = token_.at;
        } else {
            field = declarator(Naming::Required);
            check_separator(*field);
        }
        if (accept(TokenKind::Colon))
            field->bits = constant_expression();
        member->declarators.push_back(field);
    } while (accept(TokenKind::Comma));
    expect(TokenKind::Semicolon);
    return member;
}

// enumeration = tag [ "{" enumerator { "," enumerator } [ "," ] "}" ]    enumerator = NAME [ "=" constant ]
void Parser::enumeration(DeclSpec& spec)
{
    Nest nest(*this);
    tag(spec);
    if (!spec.defines)
        return;
    advance();
    do {
        if (token_.is(TokenKind::RightBrace) && !spec.enumerators.empty())
            break;
        require(TokenKind::Identifier);
        check_declared(token_.at, token_.text);
        ast::EnumeratorDecl enumerator;
        enumerator.at = token_.at;
        enumerator.name = token_.text;
        advance();
        if (token_.is(ast::Operator::Assign)) {
            advance();
            enumerator.value = constant_expression();
        }
        spec.enumerators.push_back(std::move(enumerator));
    } while (accept(TokenKind::Comma));
    expect(TokenKind::RightBrace);
}

// ---- parsing of declarators ---------------------------------------------------------------------------------------

Declarator* Parser::declarator(Naming naming)
{
    Declarator* declarator = ast_.declarator();
    declarator->at = token_.at;
    declarator_into(*declarator, naming);
    return declarator;
}

// declarator = { "*" { qualifier } } direct { suffix }
//
// Collects the parts of a declarator in the order in which they apply to the name: first those in parentheses, then
// suffixes, then pointers.
void Parser::declarator_into(Declarator& declarator, Naming naming)
{
    Nest nest(*this);
    std::vector<Span> stars;
    while (token_.is(ast::Operator::Star)) {
        stars.push_back(token_.at);
        do
            advance();
        while (is_qualifier(token_));
    }
    direct_declarator(declarator, naming);
    suffixes(declarator);
    for (std::size_t i = stars.size(); i-- != 0;) {
        DeclPart pointer;
        pointer.at = stars[i];
        add_part(declarator, std::move(pointer));
    }
}

// direct = NAME | "(" declarator ")" | nothing, if the name is optional
//
// If the declarator need not have a name, an opening parenthesis may also begin the parameters of a function without
// name.
void Parser::direct_declarator(Declarator& declarator, Naming naming)
{
    if (token_.is(TokenKind::LeftParen)) {
        const Span open = token_.at;
        advance();
        if (naming != Naming::Required && (token_.is(TokenKind::RightParen) || starts_parameter())) {
            DeclPart part;
            part.kind = DeclPart::Kind::Function;
            part.at = open;
            part.parameters = parameters(TokenKind::RightParen, part.variadic);
            add_part(declarator, std::move(part));
        } else {
            declarator_into(declarator, naming);
            expect(TokenKind::RightParen);
        }
        return;
    }
    const bool is_name = token_.is(TokenKind::Identifier) || token_.is(Keyword::String) ||
                         (in_c_header() && is_name_in_c(token_)) || is_parameter_name();
    if (is_name && naming != Naming::Forbidden) {
        declarator.name = token_.is(Keyword::String) ? "string" : token_.text;
        declarator.at = token_.at;
        check_declared(token_.at, declarator.name);
        advance();
    } else if (naming == Naming::Required) {
        syntax_error();
    }
}

// suffix = array | function
void Parser::suffixes(Declarator& declarator)
{
    for (;;) {
        if (token_.is(TokenKind::LeftBracket))
            add_part(declarator, array());
        else if (token_.is(TokenKind::LeftParen))
            add_part(declarator, function());
        else
            return;
    }
}

void Parser::add_part(Declarator& declarator, DeclPart part)
{
    declarator.parts.push_back(std::move(part));
    if (declarator.parts.size() > kMaxDeclaratorParts)
        fail("D_SYNTAX", declarator.at, "declarator has more than " + std::to_string(kMaxDeclaratorParts) + " parts");
}

// array = "[" "]" | "[" constant "]" | "[" parameters "]"
DeclPart Parser::array()
{
    DeclPart part;
    part.kind = DeclPart::Kind::Array;
    part.at = token_.at;
    advance();
    if (accept(TokenKind::RightBracket))
        return part;
    if (starts_parameter()) {
        part.kind = DeclPart::Kind::Associative;
        part.parameters = parameters(TokenKind::RightBracket, part.variadic);
        return part;
    }
    part.size = constant_expression();
    expect(TokenKind::RightBracket);
    return part;
}

// function = "(" [ parameters ] ")"
DeclPart Parser::function()
{
    DeclPart part;
    part.kind = DeclPart::Kind::Function;
    part.at = token_.at;
    advance();
    part.parameters = parameters(TokenKind::RightParen, part.variadic);
    return part;
}

// parameters = [ parameter { "," parameter } [ "," "..." ] | "..." ], and the closing token
std::vector<ast::Parameter> Parser::parameters(TokenKind close, bool& variadic)
{
    std::vector<ast::Parameter> list;
    if (!token_.is(close)) {
        do {
            if (accept(TokenKind::Ellipsis)) {
                variadic = true;
                break;
            }
            ast::Parameter parameter;
            parameter.at = token_.at;
            parameter.spec = specifiers(SpecContext::Parameter);
            parameter.declarator = declarator(Naming::Optional);
            list.push_back(parameter);
        } while (accept(TokenKind::Comma));
    }
    expect(close);
    return list;
}

// type-name = specifiers declarator without a name
ast::TypeName* Parser::type_name()
{
    Nest nest(*this);
    ast::TypeName* type = ast_.type_name();
    type->spec = specifiers(SpecContext::TypeName);
    type->declarator = declarator(Naming::Forbidden);
    return type;
}

// Returns whether the token can be the name of a parameter. In a provider's probe, this may be any name of C.
bool Parser::is_parameter_name() const
{
    return in_provider_ && is_name_in_c(token_);
}

// ---- tests and parsing of type names ------------------------------------------------------------------------------

bool Parser::starts_type()
{
    if (token_.is(TokenKind::Identifier))
        return !rules_out_type(lexer_.peek()) && (token_.text == "_Bool" || types_.is_type(token_.text));
    return token_.is(TokenKind::Keyword) && (is_attribute(token_) || base_of(token_) != BaseKind::None);
}

// Returns whether the token begins a parameter's type. In `a[self->n]`, self does not.
bool Parser::starts_parameter()
{
    if (token_.is(TokenKind::Ellipsis))
        return true;
    if (token_.is(TokenKind::Keyword) && storage_of(token_) != StorageClass::None)
        return lexer_.peek() != '-';
    return starts_type();
}

void Parser::check_declared(const Span& at, const std::string& name)
{
    if (name.find('`') != std::string::npos)
        fail("D_DECL_SCOPE", at, "D scoping operator may not be used in a declaration name");
}

} // namespace dt::syntax
