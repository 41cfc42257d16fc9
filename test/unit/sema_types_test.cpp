// Tests the representation of types: sizes, printing, identity, and the layout of declared types.
#include "test/unit/sema_helpers.hpp"

#include <cstddef>

namespace dt::test {
namespace {

TEST(Types, PredefinedTypedefsHaveTheirLp64Sizes)
{
    const TypeTable types;
    const std::pair<const char*, uint64_t> sizes[] = {{"int8_t", 1}, {"uint16_t", 2},     {"pid_t", 4},
                                                      {"size_t", 8}, {"uintptr_t", 8},    {"u_longlong_t", 8},
                                                      {"uid_t", 4},  {"long double", 16}, {"double", 8}};
    for (const auto& [name, size] : sizes)
        EXPECT_EQ(types.named(name)->resolve()->size, size) << name;
}

TEST(Types, PlainCharIsSignedAndCompatibleWithString)
{
    const TypeTable types;
    EXPECT_TRUE(types.named("char")->is_signed);
    EXPECT_TRUE(types.named("char")->is_char);
    EXPECT_FALSE(types.named("unsigned char")->is_char);
}

TEST(Types, TypesArePrintedAsInCDeclarations)
{
    TypeTable types;
    const Type* character = types.named("char");
    EXPECT_EQ(to_string(types.pointer_to(character)), "char *");
    EXPECT_EQ(to_string(types.pointer_to(types.pointer_to(character))), "char **");
    EXPECT_EQ(to_string(types.array_of(character, 4)), "char [4]");
    EXPECT_EQ(to_string(types.array_of(types.array_of(types.named("int"), 3), 2)), "int [2][3]");
    EXPECT_EQ(to_string(types.pointer_to(types.array_of(character, 4))), "char (*) [4]");
    EXPECT_EQ(to_string(types.pointer_to(character, AddressSpace::User)), "userland char *");
    Type* record = types.make(TypeKind::Struct, "task_struct");
    EXPECT_EQ(to_string(types.pointer_to(record)), "struct task_struct *");
}

TEST(Types, ATypeThatIsBuiltTwiceIsOneObject)
{
    TypeTable types;
    const Type* kind = types.named("int");
    EXPECT_EQ(types.pointer_to(kind), types.pointer_to(kind));
    EXPECT_NE(types.pointer_to(kind), types.pointer_to(kind, AddressSpace::User));
    EXPECT_EQ(types.array_of(kind, 4), types.array_of(kind, 4));
    EXPECT_EQ(types.string_of(1000), types.string());
    EXPECT_EQ(types.string_of(16)->size, 16u);
}

TEST(Types, StructLayoutFollowsTheCAbi)
{
    EXPECT_EQ(traced("sizeof(struct s)", "struct s { char a; int b; char c; };"), "12:size_t");
    EXPECT_EQ(traced("offsetof(struct s, b)", "struct s { char a; long b; };"), "8:size_t");
    EXPECT_EQ(traced("sizeof(union u)", "union u { char a[9]; long b; };"), "16:size_t");
    // The string takes 257 bytes, so the int is at offset 260.
    EXPECT_EQ(traced("sizeof(struct s)", "struct s { string name; int n; };"), "264:size_t");
}

TEST(Types, BitFieldsShareAUnitUntilTheyWouldCrossIt)
{
    EXPECT_EQ(traced("sizeof(struct s)", "struct s { int a:3; int b:29; int c:1; };"), "8:size_t");
    EXPECT_EQ(traced("sizeof(struct s)", "struct s { int a:3; int :0; int b:3; };"), "8:size_t");
    EXPECT_EQ(traced("sizeof(struct s)", "struct s { char a:7; char b:2; };"), "2:size_t");
}

TEST(Types, LiteralsAndStringsHaveDocumentedSizes)
{
    EXPECT_EQ(traced("sizeof(0xffffffff)"), "4:size_t");
    EXPECT_EQ(traced("sizeof(4294967295)"), "8:size_t");
    EXPECT_EQ(traced("sizeof('a')"), "4:size_t");
    EXPECT_EQ(traced("sizeof(\"abc\")"), "4:size_t");
    EXPECT_EQ(traced("sizeof(1ULL)"), "8:size_t");
    EXPECT_EQ(traced("sizeof(string)"), "256:size_t");
    EXPECT_EQ(traced("sizeof(execname)"), "256:size_t");
}

TEST(Types, ThePragmaStrsizeSetsTheSizeOfStrings)
{
    EXPECT_EQ(traced("sizeof(string)", "#pragma D option strsize=64\n"), "64:size_t");
}

TEST(Types, AMemberOfAnAnonymousUnionIsFound)
{
    EXPECT_EQ(traced("offsetof(struct task_struct, rcu_users)"), "80:size_t");
}

// This macro is expanded twice, as C++ and as text for D, so that both layouts can be compared.
#define DT_ANONYMOUS_MEMBERS                                                                                           \
    struct anonymous {                                                                                                 \
        char a;                                                                                                        \
        struct {                                                                                                       \
            int b;                                                                                                     \
            char c;                                                                                                    \
            union {                                                                                                    \
                long d;                                                                                                \
                short e[5];                                                                                            \
            };                                                                                                         \
        };                                                                                                             \
        union {                                                                                                        \
            char f;                                                                                                    \
            const struct {                                                                                             \
                char g;                                                                                                \
                long long h;                                                                                           \
            };                                                                                                         \
        };                                                                                                             \
        char i;                                                                                                        \
    };
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" // anonymous structs are valid in C, but not in C++
DT_ANONYMOUS_MEMBERS
#pragma GCC diagnostic pop
#define DT_TEXT_OF(...) #__VA_ARGS__
#define DT_TEXT(...) DT_TEXT_OF(__VA_ARGS__)

TEST(Types, MembersOfAnonymousStructuresHaveTheOffsetsOfC)
{
    const std::string types = DT_TEXT(DT_ANONYMOUS_MEMBERS);
    const std::pair<const char*, std::size_t> members[] = {
        {"b", offsetof(anonymous, b)}, {"c", offsetof(anonymous, c)}, {"d", offsetof(anonymous, d)},
        {"e", offsetof(anonymous, e)}, {"f", offsetof(anonymous, f)}, {"g", offsetof(anonymous, g)},
        {"h", offsetof(anonymous, h)}, {"i", offsetof(anonymous, i)}};
    for (const auto& [name, offset] : members)
        EXPECT_EQ(traced(std::string("offsetof(struct anonymous, ") + name + ")", types),
                  std::to_string(offset) + ":size_t");
    EXPECT_EQ(traced("sizeof(struct anonymous)", types), std::to_string(sizeof(anonymous)) + ":size_t");
}

TEST(Types, MembersOfAnonymousStructuresAreNamesOfTheOuterStructure)
{
    const std::string types = "struct r { int a; struct { int b; }; union { int c; int d; }; }; struct r v;";
    EXPECT_EQ(tag_of(types + " BEGIN { v.b = 1; v.c = v.b; trace(v.d); }"), "");
    // an error, because the member a is defined twice
    EXPECT_EQ(tag_of("struct r { int a; struct { int a; }; };"), "D_UNKNOWN");
    EXPECT_EQ(tag_of("struct r { int a; union { int b; int c; }; int c; };"), "D_UNKNOWN");
    // The struct s has a tag, so it declares no member, as in C.
    EXPECT_EQ(tag_of("struct r { int a; struct s { int b; }; };"), "D_SYNTAX");
    EXPECT_EQ(tag_of("struct r { int a; enum { RED, GREEN }; };"), "D_DECL_MNAME");
}

TEST(Types, TranslatorsReachMembersOfAnonymousStructures)
{
    const std::string types = "struct out { int a; union { int b; long c; }; struct { int d; }; };"
                              "translator struct out < int N > { a = N; b = N + 1; d = N + 2; };";
    EXPECT_EQ(traced("xlate <struct out> (3).b", types), "4:int");
    EXPECT_EQ(traced("xlate <struct out> (3).d", types), "5:int");
    EXPECT_EQ(tag_of(types + " struct out v; BEGIN { v = xlate <struct out> (3); }"), "");
    EXPECT_EQ(tag_of("struct out { union { int b; }; }; translator struct out < int N > { c = N; };"), "D_XLATE_MEMB");
}

} // namespace
} // namespace dt::test
