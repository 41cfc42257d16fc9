// Tests types from DWARF debug information. The tests build the files themselves: valid files, as compilers write them,
// and malicious ones.
#include "libdtrace/types/dwarf_types.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <random>

#include "test/support/dwarf_image.hpp"

namespace dt {
namespace {

using test::DwarfImage;

class DwarfFileOf {
public:
    explicit DwarfFileOf(const std::vector<char>& bytes)
        : path_(testing::TempDir() + "dt_dwarf_" + std::to_string(getpid()))
    {
        FILE* file = std::fopen(path_.c_str(), "w");
        std::fwrite(bytes.data(), 1, bytes.size(), file);
        std::fclose(file);
        types = DwarfTypes::open(path_, problem);
    }
    ~DwarfFileOf() { unlink(path_.c_str()); }

    std::string problem;
    std::unique_ptr<DwarfTypes> types;

private:
    std::string path_;
};

/// Visits every type that print() would visit. Limits the number of steps, to detect cycles.
std::size_t walk(const Type* type, unsigned depth, std::size_t& left)
{
    EXPECT_LT(depth, 200u) << "a type contains itself";
    if (left == 0 || depth >= 200)
        return 0;
    --left;
    type = type->resolve();
    std::size_t nodes = 1 + to_string(type).size() / 100000;
    if (type->kind == TypeKind::Array)
        nodes += walk(type->target, depth + 1, left);
    if (type->is_record())
        for (const Member& member : type->members()) {
            EXPECT_LE(member.bit_offset + (member.bit_size ? member.bit_size : member.type->resolve()->size * 8),
                      type->size * 8)
                << member.name;
            nodes += walk(member.type, depth + 1, left);
        }
    return nodes + type->enumerators().size();
}

TEST(DwarfTypesTest, MembersHaveTheOffsetsThatTheCompilerChose)
{
    const DwarfFileOf file(DwarfImage::sample().file());
    ASSERT_TRUE(file.types);
    TypeTable table;
    const Type* node = file.types->find(table, TypeNamespace::Struct, "node", "");
    ASSERT_TRUE(node);
    EXPECT_EQ(node->size, 32u);
    ASSERT_EQ(node->members().size(), 5u);
    EXPECT_EQ(to_string(node->members()[0].type), "userland struct node *");
    EXPECT_EQ(node->members()[2].bit_offset, 96u);
    EXPECT_EQ(node->members()[2].bit_size, 3u);
    EXPECT_EQ(to_string(node->members()[4].type), "unsigned char [8]");
    EXPECT_EQ(file.types->find(table, TypeNamespace::Ordinary, "node_t", "")->resolve(), node);
    EXPECT_EQ(to_string(file.types->find(table, TypeNamespace::Variable, "top", "")), "userland node_t *");
    EXPECT_EQ(file.types->find(table, TypeNamespace::Struct, "nosuch", ""), nullptr);
}

TEST(DwarfTypesTest, AnEnumIsSignedIfItsBaseTypeIsSigned)
{
    const DwarfFileOf file(DwarfImage::sample().file());
    TypeTable table;
    const Type* colour = file.types->find(table, TypeNamespace::Enum, "colour", "");
    ASSERT_TRUE(colour);
    EXPECT_FALSE(colour->is_signed);
    EXPECT_EQ(colour->enumerators().at(1).value, 200);
}

TEST(DwarfTypesTest, AFunctionIsFoundByTheAddressOfItsStart)
{
    const DwarfFileOf file(DwarfImage::sample().file());
    TypeTable table;
    const auto pick = file.types->function(table, DwarfImage::kCode);
    ASSERT_TRUE(pick);
    ASSERT_EQ(pick->parameters.size(), 2u);
    EXPECT_EQ(pick->parameters[0].name, "from");
    EXPECT_EQ(to_string(pick->parameters[1].type), "long");
    EXPECT_THAT(pick->parameters[1].registers, testing::ElementsAre(4u));
    EXPECT_EQ(to_string(pick->result), "int");
    EXPECT_TRUE(pick->is_called_by_others);
    EXPECT_FALSE(file.types->function(table, DwarfImage::kCode + 1));
    EXPECT_FALSE(file.types->function(table, DwarfImage::kCode + 0x20));
}

TEST(DwarfTypesTest, ADeclaredStructureGetsItsDefinitionFromTheSameFile)
{
    DwarfImage image = DwarfImage::sample();
    image.label("to_hidden").begin(DwarfImage::Pointer).refer("hidden");
    image.begin(DwarfImage::Typedef).text("handle").refer("to_hidden");
    image.begin(DwarfImage::RecordOf)
        .text("hidden")
        .put8(4)
        .begin(DwarfImage::MemberAt)
        .text("value")
        .refer("int")
        .put8(0)
        .end();
    const DwarfFileOf file(image.file());
    TypeTable table;
    const Type* hidden = file.types->find(table, TypeNamespace::Ordinary, "handle", "")->resolve()->target;
    ASSERT_TRUE(hidden->incomplete);
    ASSERT_TRUE(hidden->definition);
    EXPECT_EQ(hidden->definition()->size, 4u);
}

TEST(DwarfTypesTest, AGenericTypeHasTheTypesOfItsArguments)
{
    DwarfImage image = DwarfImage::sample();
    image.label("vec").begin(DwarfImage::RecordOf).text("Vec").put8(8);
    image.begin(DwarfImage::MemberAt).text("len").refer("long").put8(0);
    image.begin(DwarfImage::TypeArgument).refer("node").begin(DwarfImage::TypeArgument).refer("vec").end();
    const DwarfFileOf file(image.file());
    TypeTable table;
    const Type* const vec = file.types->find(table, TypeNamespace::Struct, "Vec", "");
    ASSERT_TRUE(vec);
    EXPECT_EQ(vec->members().size(), 1u);
    ASSERT_EQ(vec->parameters.size(), 2u);
    EXPECT_EQ(to_string(vec->parameters[0]), "struct node");
    EXPECT_EQ(vec->parameters[1], vec); // only malicious files contain this template argument
}

/// Begins an enum of Rust: a structure of 8 bytes with the discriminant in the first 4.
DwarfImage& begin_variants(DwarfImage& image)
{
    image.label("some").begin(DwarfImage::RecordOf).text("Some").put8(8);
    image.begin(DwarfImage::MemberAt).text("__0").refer("int").put8(4).end();
    image.label("none").begin(DwarfImage::RecordOf).text("None").put8(8).end();
    image.label("option").begin(DwarfImage::RecordOf).text("Option").put8(8);
    image.label("part").begin(DwarfImage::VariantPartOf).refer("discriminant");
    return image.label("discriminant").begin(DwarfImage::Discriminant).refer("int").put8(0);
}

TEST(DwarfTypesTest, TheDiscriminantOfVariantsHasTheirNames)
{
    DwarfImage image = DwarfImage::sample();
    begin_variants(image).begin(DwarfImage::VariantOf).put8(7);
    image.begin(DwarfImage::MemberAt).text("None").refer("none").put8(0).end().begin(DwarfImage::OtherVariantOf);
    image.begin(DwarfImage::MemberAt).text("Some").refer("some").put8(0).end().end().end();
    const DwarfFileOf file(image.file());
    TypeTable table;
    const Type* const option = file.types->find(table, TypeNamespace::Struct, "Option", "");
    ASSERT_TRUE(option);
    ASSERT_EQ(option->members().size(), 3u);
    EXPECT_EQ(option->members()[0].name, "discriminant");
    EXPECT_EQ(option->members()[0].type->kind, TypeKind::Enum);
    EXPECT_EQ(option->members()[0].type->size, 4u);
    ASSERT_EQ(option->members()[0].type->enumerators().size(), 1u);
    EXPECT_EQ(option->members()[0].type->enumerators()[0].name, "None");
    EXPECT_EQ(option->members()[0].type->enumerators()[0].value, 7);
    EXPECT_EQ(option->members()[2].name, "Some");
}

TEST(DwarfTypesTest, AVariantWithoutAMemberLeavesTheDiscriminantAPlainNumber)
{
    DwarfImage image = DwarfImage::sample();
    begin_variants(image).begin(DwarfImage::VariantOf).put8(7).end().begin(DwarfImage::OtherVariantOf);
    image.begin(DwarfImage::MemberAt).text("Some").refer("some").put8(0).end().end().end();
    const DwarfFileOf file(image.file());
    TypeTable table;
    const Type* const option = file.types->find(table, TypeNamespace::Struct, "Option", "");
    ASSERT_TRUE(option);
    EXPECT_TRUE(option->members().at(0).type->enumerators().empty());
}

TEST(DwarfTypesTest, AVariantThatContainsItsOwnEnumIsCutOff)
{
    DwarfImage image = DwarfImage::sample();
    begin_variants(image).begin(DwarfImage::VariantOf).put8(1);
    image.begin(DwarfImage::MemberAt).text("Some").refer("option").put8(0).end();
    image.begin(DwarfImage::VariantOf).put8(2).begin(DwarfImage::MemberAt).text("Part").refer("part").put8(0);
    image.end().end().end();
    const DwarfFileOf file(image.file());
    TypeTable table;
    std::size_t left = 10000;
    walk(file.types->find(table, TypeNamespace::Struct, "Option", ""), 0, left);
    EXPECT_GT(left, 0u);
}

TEST(DwarfTypesTest, ATypeThatContainsItselfIsTruncated)
{
    DwarfImage image = DwarfImage::sample();
    image.label("self")
        .begin(DwarfImage::RecordOf)
        .text("self")
        .put8(8)
        .begin(DwarfImage::MemberAt)
        .text("me")
        .refer("self")
        .put8(0)
        .end();
    image.label("a")
        .begin(DwarfImage::RecordOf)
        .text("a")
        .put8(8)
        .begin(DwarfImage::MemberAt)
        .text("b")
        .refer("b")
        .put8(0)
        .end();
    image.label("b")
        .begin(DwarfImage::RecordOf)
        .text("b")
        .put8(8)
        .begin(DwarfImage::MemberAt)
        .text("as")
        .refer("as")
        .put8(0)
        .end();
    image.label("as").begin(DwarfImage::ArrayOf).refer("a").begin(DwarfImage::Range).put64(0).end();
    image.label("t").begin(DwarfImage::Typedef).text("t").refer("u");
    image.label("u").begin(DwarfImage::Typedef).text("u").refer("t");
    image.label("p").begin(DwarfImage::Pointer).refer("p");
    image.begin(DwarfImage::Typedef).text("chain").refer("p");
    image.label("nested").begin(DwarfImage::ArrayOf).refer("nested").begin(DwarfImage::Range).put64(3).end();
    image.begin(DwarfImage::Typedef).text("endless").refer("nested");
    const DwarfFileOf file(image.file());
    TypeTable table;
    for (const char* name : {"self", "a", "b"}) {
        const Type* type = file.types->find(table, TypeNamespace::Struct, name, "");
        ASSERT_TRUE(type) << name;
        EXPECT_TRUE(type->members().empty()) << name;
    }
    for (const char* name : {"t", "u", "chain", "endless"})
        if (const Type* type = file.types->find(table, TypeNamespace::Ordinary, name, "")) {
            std::size_t left = 10000;
            walk(type, 0, left);
            EXPECT_LT(to_string(type->resolve()).size(), 1000u) << name;
        }
}

TEST(DwarfTypesTest, MembersOutsideTheTypeAreDropped)
{
    DwarfImage image = DwarfImage::sample();
    image.begin(DwarfImage::RecordOf).text("small").put8(4);
    image.begin(DwarfImage::MemberAt)
        .text("good")
        .refer("int")
        .put8(0)
        .begin(DwarfImage::MemberAt)
        .text("far")
        .refer("int")
        .put8(200);
    image.begin(DwarfImage::MemberAt)
        .text("wide")
        .refer("long")
        .put8(0)
        .begin(DwarfImage::Bits)
        .text("bits")
        .refer("int")
        .put8(64)
        .put8(8)
        .end();
    image.label("huge").begin(DwarfImage::ArrayOf).refer("long").begin(DwarfImage::Range).put64(UINT64_MAX - 1).end();
    image.begin(DwarfImage::Variable).text("much").refer("huge").put8(1);
    const DwarfFileOf file(image.file());
    TypeTable table;
    const Type* small = file.types->find(table, TypeNamespace::Struct, "small", "");
    ASSERT_EQ(small->members().size(), 1u);
    EXPECT_EQ(small->members()[0].name, "good");
    EXPECT_EQ(file.types->find(table, TypeNamespace::Variable, "much", "")->count, 0u);
}

TEST(DwarfTypesTest, ControlCharactersAreRemovedFromNames)
{
    DwarfImage image = DwarfImage::sample();
    image.label("evil")
        .begin(DwarfImage::RecordOf)
        .text("e\x1b[2Jl")
        .put8(4)
        .begin(DwarfImage::MemberAt)
        .text("a\nb")
        .refer("int")
        .put8(0)
        .end();
    image.label("to_evil").begin(DwarfImage::Pointer).refer("evil");
    image.begin(DwarfImage::Variable).text("held").refer("to_evil").put8(1);
    const DwarfFileOf file(image.file());
    TypeTable table;
    const Type* held = file.types->find(table, TypeNamespace::Variable, "held", "");
    EXPECT_EQ(to_string(held), "userland struct e?[2Jl *");
    EXPECT_EQ(held->target->members().at(0).name, "a?b");
}

TEST(DwarfTypesTest, ReadingOfDamagedFilesTerminates)
{
    const std::vector<uint8_t> info = DwarfImage::sample().info(), abbreviations = DwarfImage::abbreviations();
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        std::vector<uint8_t> damaged = info, shapes = abbreviations;
        for (int i = 0; i < 3; ++i)
            (round % 3 == 0 ? shapes[random() % shapes.size()] : damaged[random() % damaged.size()]) =
                static_cast<uint8_t>(random());
        const DwarfFileOf file(DwarfImage::file(damaged, shapes));
        if (!file.types)
            continue;
        TypeTable table;
        std::size_t left = 100000;
        for (const TypeNamespace space :
             {TypeNamespace::Struct, TypeNamespace::Ordinary, TypeNamespace::Variable, TypeNamespace::Enum})
            for (const char* name : {"node", "node_t", "top", "colour", "int"})
                if (const Type* type = file.types->find(table, space, name, ""))
                    walk(type, 0, left);
        file.types->function(table, DwarfImage::kCode);
    }
}

} // namespace
} // namespace dt
