// Tests the parser: expressions, and the source lines of their nodes.
#include "syntax_support.hpp"

namespace {

using namespace dt;
using namespace dt::test;

// Tests each pair of neighboring precedence levels: the operator of higher precedence binds first, on the left and on
// the right.
TEST(Precedence, BinaryOperatorsBindByTheirPrecedence)
{
    const std::vector<std::string> loosest_first{"||", "^^", "&&", "|", "^", "&", "==", "<", "<<", "+", "*"};
    for (std::size_t i = 0; i + 1 < loosest_first.size(); ++i) {
        const std::string loose = loosest_first[i], tight = loosest_first[i + 1];
        EXPECT_EQ(expr_of("a " + loose + " b " + tight + " c"), "(" + loose + " a (" + tight + " b c))");
        EXPECT_EQ(expr_of("a " + tight + " b " + loose + " c"), "(" + loose + " (" + tight + " a b) c)");
    }
}

TEST(Precedence, OperatorsOfTheSamePrecedenceAreLeftAssociative)
{
    EXPECT_EQ(expr_of("a - b - c"), "(- (- a b) c)");
    EXPECT_EQ(expr_of("a * b / c % d"), "(% (/ (* a b) c) d)");
    EXPECT_EQ(expr_of("a <= b >= c"), "(>= (<= a b) c)");
    EXPECT_EQ(expr_of("a == b != c"), "(!= (== a b) c)");
    EXPECT_EQ(expr_of("a << b >> c"), "(>> (<< a b) c)");
    EXPECT_EQ(expr_of("a ^^ b ^^ c"), "(^^ (^^ a b) c)");
}

TEST(Precedence, ParenthesesBindFirst)
{
    EXPECT_EQ(expr_of("(a + b) * (c - d)"), "(* (+ a b) (- c d))");
}

TEST(Precedence, ConditionalIsRightAssociative)
{
    EXPECT_EQ(expr_of("a ? b : c ? d : e"), "(?: a b (?: c d e))");
    EXPECT_EQ(expr_of("a || b ? c, d : e"), "(?: (|| a b) (, c d) e)");
}

TEST(Precedence, AssignmentIsRightAssociative)
{
    EXPECT_EQ(expr_of("a = b += c"), "(= a (+= b c))");
    EXPECT_EQ(expr_of("a = b ? c : d"), "(= a (?: b c d))");
}

TEST(Operators, EveryAssignmentOperatorIsParsed)
{
    for (const char* op : {"=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=", "<<=", ">>="})
        EXPECT_EQ(expr_of(std::string("a ") + op + " b"), std::string("(") + op + " a b)");
}

TEST(Operators, EveryPrefixOperatorIsParsed)
{
    for (const char* op : {"!", "~", "++", "--", "+", "-", "*", "&"})
        EXPECT_EQ(expr_of(std::string("x = ") + op + "a"), std::string("(= x (") + op + " a))");
}

TEST(Operators, PostfixOperatorsAreParsed)
{
    EXPECT_EQ(expr_of("a++"), "(post ++ a)");
    EXPECT_EQ(expr_of("a[1]--"), "(post -- ([] a 1))");
    EXPECT_EQ(expr_of("-a++"), "(- (post ++ a))");
}

TEST(Operators, ACommaSeparatesArguments)
{
    EXPECT_EQ(expr_of("f(a, b)"), "(call f a b)");
    EXPECT_EQ(expr_of("f((a, b))"), "(call f (, a b))");
    EXPECT_EQ(expr_of("a, b, c"), "(, (, a b) c)");
}

TEST(Operators, TheLeftSideOfAnAssignmentIsAUnaryExpression)
{
    EXPECT_EQ(tag_of("BEGIN { a + b = c; }"), "D_SYNTAX");
    EXPECT_EQ(tag_of("BEGIN { a ? b : c = d; }"), "D_SYNTAX");
    // accepted by the parser; semantic analysis refuses assignments to (int)a
    EXPECT_EQ(expr_of("(int)a = b"), "(= (cast int a) b)");
    EXPECT_EQ(expr_of("5 = 3"), "(= 5 3)");
    EXPECT_EQ(expr_of("(a) = 3"), "(= a 3)");
    EXPECT_EQ(expr_of("*p = 3"), "(= (* p) 3)");
}

TEST(PostfixExpressions, MembersSubscriptsAndCallsCanBeChained)
{
    EXPECT_EQ(expr_of("x = a->b.c[1](2)->d"), "(= x (-> (call ([] (. (-> a b) c) 1) 2) d))");
    EXPECT_EQ(expr_of("x = m[a, \"k\"]"), "(= x ([] m a \"k\"))");
}

TEST(PostfixExpressions, EmptySubscriptsAndTrailingCommasAreSyntaxErrors)
{
    EXPECT_EQ(tag_of("BEGIN { a[]; }"), "D_SYNTAX");
    EXPECT_EQ(tag_of("BEGIN { f(a,); }"), "D_SYNTAX");
    EXPECT_EQ(expr_of("f()"), "(call f)");
}

TEST(ScopedVariables, SelfAndThisAreFollowedByTheNameOfAVariable)
{
    EXPECT_EQ(expr_of("self->a = this->b"), "(= self->a this->b)");
    EXPECT_EQ(expr_of("self->a[1]->b"), "(-> ([] self->a 1) b)");
    EXPECT_EQ(expr_of("self"), "self"); // accepted by the parser; semantic analysis refuses self alone
    EXPECT_EQ(expr_of("self.x"), "(. self x)");
}

TEST(Casts, ATypeInParenthesesIsACast)
{
    EXPECT_EQ(expr_of("x = (int)y"), "(= x (cast int y))");
    EXPECT_EQ(expr_of("x = (struct p *)y"), "(= x (cast struct p * y))");
    EXPECT_EQ(expr_of("x = (uint64_t)y + 1"), "(= x (+ (cast uint64_t y) 1))");
    EXPECT_EQ(expr_of("x = (y) + 1"), "(= x (+ y 1))");
    EXPECT_EQ(expr_of("x = (int (*)(int))y"), "(= x (cast int (*)(int) y))");
    EXPECT_EQ(expr_of("x = (char [4])y"), "(= x (cast char [4] y))");
    EXPECT_EQ(expr_of("x = -(int)*y"), "(= x (- (cast int (* y))))");
    EXPECT_EQ(expr_of("x = (vmlinux`list_t *)y"), "(= x (cast vmlinux`list_t * y))");
}

TEST(Casts, UnknownTypesAreErrors)
{
    EXPECT_EQ(tag_of("BEGIN { x = (nosuch_t *)y; }"), "D_UNKNOWN");
    EXPECT_EQ(tag_of("BEGIN { x = (nosuch_t)y; }"), "D_UNKNOWN");
    EXPECT_EQ(tag_of("BEGIN { x = offsetof(nosuch_t, y); }"), "D_UNKNOWN");
    EXPECT_EQ(expr_of("x = (a * b)"), "(= x (* a b))");
}

TEST(Sizeof, TakesATypeOrAnExpression)
{
    EXPECT_EQ(expr_of("x = sizeof (int)"), "(= x (sizeof int))");
    EXPECT_EQ(expr_of("x = sizeof (foo_t) + 1"), "(= x (+ (sizeof foo_t) 1))");
    EXPECT_EQ(expr_of("x = sizeof y"), "(= x (sizeof y))");
    EXPECT_EQ(expr_of("x = sizeof (y).z"), "(= x (sizeof (. y z)))");
    EXPECT_EQ(expr_of("x = sizeof (y) + 1"), "(= x (+ (sizeof y) 1))");
    EXPECT_EQ(expr_of("x = sizeof sizeof y"), "(= x (sizeof (sizeof y)))");
}

TEST(Stringof, IsAUnaryOperator)
{
    EXPECT_EQ(expr_of("x = stringof(y)"), "(= x (stringof y))");
    EXPECT_EQ(expr_of("x = stringof y->z"), "(= x (stringof (-> y z)))");
    EXPECT_EQ(expr_of("x = stringof((char *)y)"), "(= x (stringof (cast char * y)))");
    EXPECT_EQ(expr_of("x = stringof(y) == z"), "(= x (== (stringof y) z))");
}

TEST(Offsetof, TakesOnlyADirectMember)
{
    EXPECT_EQ(expr_of("x = offsetof(struct p, y)"), "(= x (offsetof struct p y))");
    EXPECT_EQ(tag_of("BEGIN { x = offsetof(struct p, a.b); }"), "D_SYNTAX");
}

TEST(Xlate, TakesATypeInAngleBrackets)
{
    EXPECT_EQ(expr_of("x = xlate<struct p *>(y)->z"), "(= x (-> (xlate struct p * y) z))");
    EXPECT_EQ(expr_of("x = xlate <foo_t>(y).z"), "(= x (. (xlate foo_t y) z))");
}

TEST(ReturnAction, IsACallOnlyWithParentheses)
{
    EXPECT_EQ(expr_of("return(-12)"), "(call return (- 12))");
    EXPECT_EQ(message_of("BEGIN { return 1; }"), "syntax error near \"return\"");
}

TEST(SyntaxErrors, TheMessageNamesTheUnexpectedToken)
{
    EXPECT_EQ(message_of("BEGIN { x = ; }"), "syntax error near \";\"");
    EXPECT_EQ(message_of("BEGIN { trace(}"), "syntax error near \"}\"");
    EXPECT_EQ(message_of("BEGIN { a ?: b; }"), "syntax error near \":\"");
    EXPECT_EQ(message_of("BEGIN { x = 1"), "syntax error near end of input");
    EXPECT_EQ(message_of("BEGIN { trace(1)) }"), "syntax error near \")\"");
}

// ---- source lines: if only the next token shows where a node ends, the node has that token's line ----

const ast::Expr& first_expr(const Parse& parse)
{
    return *parse.ast->items[0].clause->body[0]->expr;
}

TEST(SourceLines, AnOperatorHasTheLineOfTheTokenAfterIt)
{
    Parse parse("BEGIN {\n a\n + b\n ; }");
    EXPECT_EQ(first_expr(parse.run()).at.line, 4U);
    EXPECT_EQ(first_expr(parse).kids[0]->at.line, 2U);
    EXPECT_EQ(first_expr(parse).kids[1]->at.line, 3U);
    EXPECT_EQ(parse.ast->items[0].clause->body[0]->at.line, 4U);
}

TEST(SourceLines, ACallHasTheLineOfItsClosingParenthesis)
{
    Parse parse("BEGIN {\n f(\n a)\n ; }");
    EXPECT_EQ(first_expr(parse.run()).at.line, 3U);
}

TEST(SourceLines, TheCaretOfAnErrorIsAtTheOperator)
{
    Parse parse("BEGIN { a +\n b; }");
    EXPECT_EQ(first_expr(parse.run()).at.column, 11U);
    EXPECT_EQ(first_expr(parse).at.length, 1U);
}

TEST(SourceLines, SyntaxErrorsHaveTheLineOfTheirToken)
{
    EXPECT_EQ(line_of("BEGIN {\n x =\n ;\n}"), 3U);
    EXPECT_EQ(line_of("BEGIN {\n x = 1\n"), 3U);
}

} // namespace
