// Tests the parser: declarations, inlines, translators, and providers.
#include "syntax_support.hpp"

namespace {

using namespace dt;
using namespace dt::test;

// Returns the printed form of the declaration in `text`.
std::string declaration(const std::string& text)
{
    Parse parse(text);
    parse.options.empty = true;
    parse.run();
    EXPECT_EQ(parse.message(), "") << text;
    const std::string tree = parse.tree();
    return tree.empty() ? "" : tree.substr(0, tree.size() - 1);
}

std::string declaration_tag(const std::string& text)
{
    return tag_of(text + " BEGIN { }");
}

TEST(Declarations, DeclarationsArePrintedAsWritten)
{
    for (const char* text : {"int x",
                             "unsigned long long x",
                             "self int x, *y",
                             "this string s",
                             "extern struct p *q",
                             "const char *s",
                             "int m[int, string]",
                             "int a[2][3]",
                             "int *a[3]",
                             "int (*a)[3]",
                             "int (*f)(int, char *)",
                             "int f(int a, ...)",
                             "int f(void)",
                             "int f()",
                             "typedef struct p { int a; char b, *c; } p_t",
                             "union u { int a : 3; int  : 4; } v",
                             "enum e { A, B = 3, C } x",
                             "struct { int x; } anonymous",
                             "uint64_t *x",
                             "_Bool b",
                             "int m[pid_t p, foo_t *]",
                             "struct vmlinux`task *p",
                             "volatile unsigned x",
                             "char *(*(*x)(void))[3]"})
        EXPECT_EQ(declaration(std::string(text) + ";"), text);
}

TEST(Declarations, ThePartsOfADeclaratorAreReadFromTheNameOutwards)
{
    Parse parse("int *a[3]; BEGIN { }");
    const auto& parts = parse.run().ast->items[0].declaration->declarators[0]->parts;
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_EQ(parts[0].kind, ast::DeclPart::Kind::Array);
    EXPECT_EQ(parts[1].kind, ast::DeclPart::Kind::Pointer);
}

TEST(Declarations, AnArrayWhoseIndexIsATypeIsAssociative)
{
    Parse parse("int a[foo_t], b[foo], c[self->x]; BEGIN { }");
    const auto& declarators = parse.run().ast->items[0].declaration->declarators;
    EXPECT_EQ(declarators[0]->parts[0].kind, ast::DeclPart::Kind::Associative);
    EXPECT_EQ(declarators[1]->parts[0].kind, ast::DeclPart::Kind::Array);
    EXPECT_EQ(declarators[2]->parts[0].kind, ast::DeclPart::Kind::Array);
}

TEST(Declarations, TheDefaultTypeIsInt)
{
    EXPECT_EQ(declaration("self x;"), "self x");
    EXPECT_EQ(declaration("unsigned x;"), "unsigned x");
    EXPECT_EQ(declaration("const x;"), "const x");
}

TEST(Declarations, TheSecondOfTwoTypeNamesIsTheDeclaredName)
{
    EXPECT_EQ(declaration("int foo_t;"), "int foo_t");
}

TEST(Declarations, InvalidStorageClassesAreErrors)
{
    EXPECT_EQ(declaration_tag("self this int x;"), "D_DECL_CLASS");
    EXPECT_EQ(declaration_tag("static int x;"), "D_DECL_BADCLASS");
    EXPECT_EQ(declaration_tag("auto int x;"), "D_DECL_BADCLASS");
    EXPECT_EQ(declaration_tag("register int x;"), "D_DECL_BADCLASS");
    EXPECT_EQ(declaration_tag("inline static int x = 1;"), "D_DECL_BADCLASS");
    EXPECT_EQ(declaration_tag("int m[static int];"), "D_DECL_PARMCLASS");
    EXPECT_EQ(declaration_tag("int m[register int];"), "");
    EXPECT_EQ(declaration_tag("int f(self int);"), "D_DECL_PARMCLASS");
}

TEST(Declarations, InvalidCombinationsOfTypesAreErrors)
{
    EXPECT_EQ(declaration_tag("int int x;"), "D_DECL_COMBO");
    EXPECT_EQ(declaration_tag("struct p { int x; } struct q v;"), "D_DECL_COMBO");
    EXPECT_EQ(declaration_tag("foo_t int x;"), "D_DECL_COMBO");
    EXPECT_EQ(declaration_tag("int string string;"), "D_DECL_IDENT");
    EXPECT_EQ(declaration_tag("int foo_t x;"), "D_DECL_IDENT");
    EXPECT_EQ(declaration_tag("int x y;"), "D_SYNTAX");
}

TEST(Declarations, InvalidCombinationsOfSizeAndSignAreErrors)
{
    EXPECT_EQ(declaration_tag("long char c;"), "D_DECL_CHARATTR");
    EXPECT_EQ(declaration_tag("short char c;"), "D_DECL_CHARATTR");
    EXPECT_EQ(declaration_tag("unsigned void *v;"), "D_DECL_VOIDATTR");
    EXPECT_EQ(declaration_tag("long void *v;"), "D_DECL_VOIDATTR");
    EXPECT_EQ(declaration_tag("unsigned float f;"), "D_DECL_SIGNINT");
    EXPECT_EQ(declaration_tag("signed string s;"), "D_DECL_SIGNINT");
    EXPECT_EQ(declaration_tag("long struct p { int x; } v;"), "D_DECL_LONGINT");
    EXPECT_EQ(declaration_tag("long short x;"), "D_UNKNOWN");
    EXPECT_EQ(declaration_tag("signed unsigned x;"), "D_UNKNOWN");
    EXPECT_EQ(declaration_tag("long long long x;"), "D_UNKNOWN");
    EXPECT_EQ(declaration_tag("long double x;"), "");
    EXPECT_EQ(declaration_tag("signed char x;"), "");
}

TEST(Declarations, DeclarationsWithoutANameAreErrors)
{
    EXPECT_EQ(declaration_tag("int;"), "D_DECL_USELESS");
    EXPECT_EQ(declaration_tag("self;"), "D_DECL_USELESS");
    EXPECT_EQ(declaration_tag("struct p;"), "");
    EXPECT_EQ(declaration_tag("enum { A };"), "");
}

TEST(Declarations, ADeclaredNameCannotContainAScope)
{
    EXPECT_EQ(declaration_tag("int a`b;"), "D_DECL_SCOPE");
    EXPECT_EQ(declaration_tag("struct a`b { int x; };"), "D_DECL_SCOPE");
    EXPECT_EQ(declaration_tag("struct p { int a`b; };"), "D_DECL_SCOPE");
    EXPECT_EQ(declaration_tag("enum e { a`b };"), "D_DECL_SCOPE");
}

TEST(Declarations, IncompleteDeclarationsAreSyntaxErrors)
{
    EXPECT_EQ(declaration_tag("struct p { };"), "D_SYNTAX");
    EXPECT_EQ(declaration_tag("struct p { int; };"), "D_SYNTAX");
    EXPECT_EQ(declaration_tag("struct p { int x };"), "D_SYNTAX");
    EXPECT_EQ(declaration_tag("struct p { self int x; };"), "D_SYNTAX");
    EXPECT_EQ(declaration_tag("struct p { nosuch_t x; };"), "D_SYNTAX");
    EXPECT_EQ(declaration_tag("struct;"), "D_SYNTAX");
    EXPECT_EQ(declaration_tag("enum e { };"), "D_SYNTAX");
    EXPECT_EQ(declaration_tag("int x = 3;"), "D_SYNTAX");
    EXPECT_EQ(declaration_tag("int *;"), "D_SYNTAX");
}

TEST(Declarations, AnUnknownTypeInAPrototypeIsAnError)
{
    EXPECT_EQ(declaration_tag("int f(nosuch_t);"), "D_UNKNOWN");
}

TEST(Declarations, FunctionsCannotHaveABody)
{
    EXPECT_EQ(declaration_tag("int f(int x) { x; }"), "D_SYNTAX");
}

TEST(Declarations, AnEnumMayEndWithAComma)
{
    EXPECT_EQ(declaration("enum e { A, B, };"), "enum e { A, B }");
}

// ---- definitions ----

TEST(InlineDefinitions, AnInlineMayBeAScalarOrAnArray)
{
    EXPECT_EQ(tree_of("inline int LIMIT = 3 + 4;"), "inline int LIMIT = (+ 3 4)\n");
    EXPECT_EQ(tree_of("inline string s[int a, foo_t b] = a ? \"x\" : \"y\";"),
              "inline string s[int a, foo_t b] = (?: a \"x\" \"y\")\n");
    EXPECT_EQ(tag_of("inline int x;"), "D_SYNTAX");
    EXPECT_EQ(tag_of("inline int x = 1, 2;"), "D_SYNTAX");
}

TEST(TranslatorDefinitions, EachMemberIsDefinedByAnExpression)
{
    EXPECT_EQ(
        tree_of("translator struct pinfo < struct task_struct *T > { pid = T->tgid; name = stringof(T->comm); };"),
        "translator struct pinfo < struct task_struct *T >\n  pid = (-> T tgid)\n  name = (stringof (-> T comm))\n");
    EXPECT_EQ(tree_of("translator foo_t < pid_t P > { };"), "translator foo_t < pid_t P >\n");
}

TEST(TranslatorDefinitions, TheParameterOfATranslatorMustBeNamed)
{
    Parse parse("translator foo_t < struct s *P > { a = P->a; };");
    EXPECT_EQ(parse.run().ast->items[0].translator->parameter, "P");
    EXPECT_EQ(tag_of("translator foo_t < struct s * > { };"), "D_SYNTAX");
    EXPECT_EQ(tag_of("translator foo_t < struct s *P > { }"), "D_SYNTAX");
    EXPECT_EQ(tag_of("translator foo_t < struct s *P > { a = 1 };"), "D_SYNTAX");
}

TEST(ProviderDefinitions, AProbeHasArgumentsAndTranslatedArguments)
{
    EXPECT_EQ(tree_of("provider shop { probe sale(int id, char *item) : (int id, string item); probe close__day(); };"),
              "provider shop\n  probe sale(int id, char *item) : (int id, string item)\n  probe close__day()\n");
    EXPECT_EQ(tree_of("provider p { probe return(foo_t *, int self, char *string); } /* no semicolon */"),
              "provider p\n  probe return(foo_t *, int self, char *string)\n");
    EXPECT_EQ(tag_of("provider p { probe go(int) };"), "D_SYNTAX");
    EXPECT_EQ(tag_of("provider p { probe go(unsigned nosuch bar); };"), "D_SYNTAX");
    EXPECT_EQ(tag_of("provider p { go(int); };"), "D_SYNTAX");
    EXPECT_EQ(tag_of("provider p { probe go(int, ...); };"), "D_DECL_PROTO_VARARGS");
}

} // namespace
