// Parses expressions (dtrace-language(7), OPERATORS).
//
// Binary operators are parsed with an explicit stack. So each level of parentheses needs a constant number of stack
// frames, and class Nest limits the number of levels. The height of trees is limited too, for recursive functions that
// visit them later.
#include <algorithm>

#include "dcompiler/interface/foreign_names.hpp"
#include "dcompiler/syntax/parser_state.hpp"

namespace dt::syntax {

namespace {

using ast::Expr;
using ast::ExprKind;
using ast::Operator;

// Returns the precedence of a binary operator; 0 if the token is no binary operator.
int precedence(const Token& token)
{
    if (!token.is(TokenKind::Operator))
        return 0;
    switch (token.op) {
    case Operator::Star:
    case Operator::Slash:
    case Operator::Percent:
        return 11;
    case Operator::Plus:
    case Operator::Minus:
        return 10;
    case Operator::ShiftLeft:
    case Operator::ShiftRight:
        return 9;
    case Operator::Less:
    case Operator::LessEqual:
    case Operator::Greater:
    case Operator::GreaterEqual:
        return 8;
    case Operator::Equal:
    case Operator::NotEqual:
        return 7;
    case Operator::Ampersand:
        return 6;
    case Operator::Caret:
        return 5;
    case Operator::Pipe:
        return 4;
    case Operator::AndAnd:
        return 3;
    case Operator::XorXor:
        return 2;
    case Operator::OrOr:
        return 1;
    default:
        return 0;
    }
}

bool is_assignment(const Token& token)
{
    return token.is(TokenKind::Operator) && token.op >= Operator::Assign;
}

bool is_prefix(Operator op)
{
    switch (op) {
    case Operator::Ampersand:
    case Operator::Star:
    case Operator::Plus:
    case Operator::Minus:
    case Operator::Tilde:
    case Operator::Not:
        return true;
    default:
        return false;
    }
}

// Returns whether the token begins an operand. If it follows `(name)`, the user probably intended a cast to the type
// `name`.
bool begins_operand(const Token& token)
{
    switch (token.kind) {
    case TokenKind::Integer:
    case TokenKind::String:
    case TokenKind::Identifier:
    case TokenKind::Aggregation:
    case TokenKind::Macro:
        return true;
    case TokenKind::Keyword:
        return token.keyword == Keyword::Self || token.keyword == Keyword::This;
    default:
        return false;
    }
}

} // namespace

// ---- creation of nodes of expressions -----------------------------------------------------------------------------

Span Parser::created_now(const Span& caret) const
{
    Span at = caret;
    at.line = token_.at.line;
    at.file = token_.at.file;
    return at;
}

Expr* Parser::leaf(ExprKind kind, const Span& at)
{
    Expr* expr = ast_.expr();
    expr->kind = kind;
    expr->at = at;
    return expr;
}

Expr* Parser::node(ExprKind kind, const Span& caret, std::vector<Expr*> kids, Operator op)
{
    Expr* expr = leaf(kind, created_now(caret));
    expr->op = op;
    for (const Expr* kid : kids)
        expr->height = std::max(expr->height, kid->height + 1);
    expr->kids = std::move(kids);
    if (expr->height > kMaxHeight)
        fail("D_SYNTAX", expr->at,
             "expression is too long: more than " + std::to_string(kMaxHeight) + " operators deep",
             "compute it in several statements");
    return expr;
}

// ---- parsing of operators -----------------------------------------------------------------------------------------

// expression = assignment { "," assignment }
Expr* Parser::expression()
{
    Expr* left = assignment();
    while (token_.is(TokenKind::Comma)) {
        const Span comma = token_.at;
        advance();
        Expr* right = assignment();
        left = node(ExprKind::Comma, comma, {left, right});
    }
    return left;
}

// assignment = conditional | ( unary | cast ) ( "=" | "+=" | … ) assignment
//
// Operands of assignments that are not lvalues (casts, constants, calls) are reported later, by their kind.
Expr* Parser::assignment()
{
    const Operand left = conditional();
    if (!is_assignment(token_))
        return left.expr;
    if (!left.unary)
        syntax_error("the left side of an assignment must be a variable");
    Nest nest(*this);
    const Span caret = token_.at;
    const Operator op = token_.op;
    advance();
    Expr* right = assignment();
    return node(ExprKind::Assign, caret, {left.expr, right}, op);
}

// conditional = binary [ "?" expression ":" conditional ]
Parser::Operand Parser::conditional()
{
    const Operand condition = binary();
    if (!token_.is(TokenKind::Question))
        return condition;
    Nest nest(*this);
    const Span caret = token_.at;
    advance();
    if (token_.is(TokenKind::Colon))
        syntax_error("the value between ? and : is missing");
    Expr* yes = expression();
    expect(TokenKind::Colon);
    Expr* no = conditional().expr;
    return {node(ExprKind::Conditional, caret, {condition.expr, yes, no}), false};
}

// binary = cast { operator cast }, by precedence, all left-associative
Parser::Operand Parser::binary()
{
    const std::size_t bottom = waiting_.size();
    auto [left, unary] = cast();
    for (;;) {
        const int strength = precedence(token_);
        while (waiting_.size() > bottom && waiting_.back().precedence >= strength) {
            const Waiting waiting = waiting_.back();
            waiting_.pop_back();
            left = node(ExprKind::Binary, waiting.at, {waiting.left, left}, waiting.op);
        }
        if (strength == 0)
            return {left, unary};
        waiting_.push_back({left, token_.op, token_.at, strength});
        advance();
        left = cast().expr;
        unary = false;
    }
}

// cast = "(" type-name ")" cast | "(" expression ")" postfix | unary
Parser::Operand Parser::cast()
{
    Nest nest(*this);
    if (!token_.is(TokenKind::LeftParen))
        return {unary(), true};
    const Span open = token_.at;
    advance();
    if (!starts_type())
        return {postfix(parenthesised()), true};
    ast::TypeName* type = type_name();
    expect(TokenKind::RightParen);
    Expr* operand = cast().expr;
    Expr* expr = node(ExprKind::Cast, open, {operand});
    expr->type = type;
    return {expr, true};
}

// parenthesised = expression ")", after the "("
//
// An unknown name where a type may be is reported as an unknown type, not as a syntax error.
Expr* Parser::parenthesised()
{
    const Span first = token_.at;
    if (token_.is(TokenKind::Identifier) && lexer_.peek() == '*' && lexer_.peek_past_stars() == ')')
        unknown_type(first, token_.text);
    Expr* expr = expression();
    if (!token_.is(TokenKind::RightParen))
        syntax_error(token_.is(TokenKind::ClosingSlash) ? "a ( is still open before this closing slash" : "");
    advance();
    if (expr->kind == ExprKind::Identifier && expr->at.offset == first.offset && begins_operand(token_))
        unknown_type(first, expr->text);
    return expr;
}

void Parser::unknown_type(const Span& at, const std::string& name)
{
    fail("D_UNKNOWN", at, "failed to resolve type " + name + ": Unknown type name",
         std::string(foreign_name(ForeignKind::Type, name)));
}

// unary = ( "++" | "--" ) unary | ( "&" | "*" | "+" | "-" | "~" | "!" ) cast | sizeof | stringof | postfix
Expr* Parser::unary()
{
    if (token_.is(Keyword::Sizeof) || token_.is(Keyword::Stringof))
        return sizeof_expression();
    if (!token_.is(TokenKind::Operator))
        return postfix(primary());
    const Span caret = token_.at;
    const Operator op = token_.op;
    const bool step = op == Operator::Increment || op == Operator::Decrement;
    if (!step && !is_prefix(op))
        syntax_error();
    advance();
    Expr* operand = step ? nested_unary() : cast().expr;
    return node(ExprKind::Unary, caret, {operand}, op);
}

Expr* Parser::nested_unary()
{
    Nest nest(*this);
    return unary();
}

// sizeof   = "sizeof" ( "(" type-name ")" | unary )
// stringof = "stringof" unary
Expr* Parser::sizeof_expression()
{
    const bool is_sizeof = token_.is(Keyword::Sizeof);
    const Span caret = token_.at;
    advance();
    Expr* operand = nullptr;
    bool alone = false;
    if (!token_.is(TokenKind::LeftParen)) {
        operand = nested_unary();
    } else {
        Nest nest(*this);
        advance();
        if (is_sizeof && starts_type()) {
            ast::TypeName* type = type_name();
            require(TokenKind::RightParen);
            Expr* expr = node(ExprKind::SizeofType, caret, {});
            expr->type = type;
            advance();
            return expr;
        }
        operand = parenthesised();
        alone = operand->kind == ExprKind::Identifier;
        operand = postfix(operand);
    }
    Expr* expr = node(is_sizeof ? ExprKind::SizeofExpr : ExprKind::Stringof, caret, {operand});
    if (is_sizeof && alone && operand->kind == ExprKind::Identifier)
        expr->text = operand->text; // NAME in sizeof (NAME) may be a value or a type; the semantic analysis decides
    return expr;
}

// ---- parsing of postfix and primary expressions -------------------------------------------------------------------

// postfix = primary { "[" arguments "]" | "(" [ arguments ] ")" | "." NAME | "->" NAME | "++" | "--" }
Expr* Parser::postfix(Expr* operand)
{
    for (;;) {
        if (token_.is(TokenKind::LeftBracket)) {
            operand = bracketed(operand, ExprKind::Index, TokenKind::RightBracket);
        } else if (token_.is(TokenKind::LeftParen)) {
            operand = bracketed(operand, ExprKind::Call, TokenKind::RightParen);
        } else if (token_.is(TokenKind::Dot) || token_.is(TokenKind::Arrow)) {
            const ExprKind kind = token_.is(TokenKind::Dot) ? ExprKind::Member : ExprKind::Arrow;
            advance();
            // A keyword is a name here, because members and parameters in C, C++ and Rust have names such as `self` and
            // `string`.
            if (!token_.is(TokenKind::Keyword))
                require(TokenKind::Identifier);
            operand = node(kind, token_.at, {operand});
            operand->text = token_.is(TokenKind::Keyword) ? std::string(token_.raw) : token_.text;
            advance();
        } else if (token_.is(Operator::Increment) || token_.is(Operator::Decrement)) {
            operand = node(ExprKind::Postfix, token_.at, {operand}, token_.op);
            advance();
        } else {
            return operand;
        }
    }
}

// arguments = assignment { "," assignment }
Expr* Parser::bracketed(Expr* operand, ExprKind kind, TokenKind close)
{
    std::vector<Expr*> kids{operand};
    advance();
    const std::string_view missing =
        close == TokenKind::RightParen ? "a ) is missing before this" : "a ] is missing before this";
    if (token_.is(TokenKind::Semicolon))
        syntax_error(missing);
    if (kind == ExprKind::Index || !token_.is(close)) {
        kids.push_back(assignment());
        while (accept(TokenKind::Comma))
            kids.push_back(assignment());
    }
    const bool ends_more =
        token_.is(TokenKind::Semicolon) || token_.is(TokenKind::RightParen) || token_.is(TokenKind::RightBracket);
    require(close, token_.is(TokenKind::ClosingSlash) ? "a ( or [ is still open before this closing slash"
                   : ends_more                        ? missing
                                                      : "");
    Expr* expr = node(kind, operand->at, std::move(kids));
    advance();
    return expr;
}

// primary = INT | STRING | NAME | "@" NAME | "$" NAME | "(" expression ")" | "self" "->" NAME | "this" "->" NAME |
// offsetof | xlate
//         | "return" before "("
Expr* Parser::primary()
{
    ExprKind kind;
    switch (token_.kind) {
    case TokenKind::Integer:
        return integer();
    case TokenKind::LeftParen:
        advance();
        return parenthesised();
    case TokenKind::String:
        kind = ExprKind::String;
        break;
    case TokenKind::Identifier:
        kind = ExprKind::Identifier;
        break;
    case TokenKind::Aggregation:
        kind = ExprKind::Aggregation;
        break;
    case TokenKind::Macro:
        kind = ExprKind::Macro;
        break;
    case TokenKind::Keyword:
        switch (token_.keyword) {
        case Keyword::Self:
            return scoped(ExprKind::Self);
        case Keyword::This:
            return scoped(ExprKind::This);
        case Keyword::Offsetof:
            return offsetof_expression();
        case Keyword::Xlate:
            return xlate();
        case Keyword::Return:
            return return_call();
        default:
            syntax_error();
        }
    default:
        syntax_error();
    }
    Expr* expr = leaf(kind, token_.at);
    expr->text = token_.text;
    expr->number = token_.number;
    advance();
    return expr;
}

Expr* Parser::integer()
{
    Expr* expr = leaf(ExprKind::Integer, token_.at);
    expr->number = token_.number;
    expr->decimal = token_.decimal;
    expr->unsigned_suffix = token_.unsigned_suffix;
    expr->longs = token_.longs;
    if (token_.negative)
        expr = node(ExprKind::Unary, token_.at, {expr}, Operator::Minus);
    advance();
    return expr;
}

// Parses self->name or this->name, which is one name and not a member operator. Without the arrow, the word becomes an
// identifier, for which the semantic analysis reports an error.
Expr* Parser::scoped(ExprKind kind)
{
    Span at = token_.at;
    advance();
    if (!token_.is(TokenKind::Arrow)) {
        Expr* expr = leaf(ExprKind::Identifier, at);
        expr->text = kind == ExprKind::Self ? "self" : "this";
        return expr;
    }
    advance();
    require(TokenKind::Identifier);
    at.length = token_.at.offset + token_.at.length - at.offset;
    Expr* expr = leaf(kind, created_now(at));
    expr->text = token_.text;
    advance();
    return expr;
}

// Parses return(n), an action whose name is a keyword.
Expr* Parser::return_call()
{
    const Token word = token_;
    advance();
    if (!token_.is(TokenKind::LeftParen))
        fail("D_SYNTAX", word.at, "syntax error near \"" + std::string(word.raw) + "\"",
             "a clause needs no return statement; return(n) is an action that replaces a kernel function's result");
    Expr* expr = leaf(ExprKind::Identifier, word.at);
    expr->text = word.raw;
    return expr;
}

// offsetof = "offsetof" "(" type-name "," NAME ")"
Expr* Parser::offsetof_expression()
{
    const Span caret = token_.at;
    advance();
    expect(TokenKind::LeftParen);
    ast::TypeName* type = type_name();
    expect(TokenKind::Comma);
    require(TokenKind::Identifier);
    const std::string member = token_.text;
    advance();
    require(TokenKind::RightParen);
    Expr* expr = node(ExprKind::Offsetof, caret, {});
    expr->type = type;
    expr->text = member;
    advance();
    return expr;
}

// xlate = "xlate" "<" type-name ">" "(" expression ")"
Expr* Parser::xlate()
{
    const Span caret = token_.at;
    advance();
    expect(Operator::Less);
    ast::TypeName* type = type_name();
    expect(Operator::Greater);
    expect(TokenKind::LeftParen);
    Expr* operand = expression();
    require(TokenKind::RightParen);
    Expr* expr = node(ExprKind::Xlate, caret, {operand});
    expr->type = type;
    advance();
    return expr;
}

} // namespace dt::syntax
