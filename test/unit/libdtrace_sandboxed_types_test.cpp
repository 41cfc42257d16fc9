// Tests types that the sandboxed reader (an unprivileged process) sends. They equal the types that are read without the
// reader, and malicious answers do no harm.
#include "libdtrace/types/sandboxed_types.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "test/support/dwarf_image.hpp"
#include "test/support/temporary_folder.hpp"

namespace dt {
namespace {

using Calls = probes::ProcessView::Calls;
using test::DwarfImage;

class SandboxedTypesTest : public testing::Test {
protected:
    std::shared_ptr<SandboxedTypes> of(const std::vector<char>& bytes)
    {
        const std::string path = folder_.path() + "/file";
        std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return std::make_shared<SandboxedTypes>(foreign, path);
    }
    const Type* find(SandboxedTypes& types, TypeNamespace space, const char* name)
    {
        return types.find(table, space, name);
    }

    std::shared_ptr<UntrustedFiles> foreign = std::make_shared<UntrustedFiles>(ReadBy::Readers);
    TypeTable table;

private:
    test::TemporaryFolder folder_;
};

TEST_F(SandboxedTypesTest, MembersOfAStructureAreReadOnlyWhenTheyAreNeeded)
{
    const auto types = of(DwarfImage::sample().file());
    const Type* const node = find(*types, TypeNamespace::Struct, "node");
    ASSERT_TRUE(node);
    EXPECT_EQ(node->size, 32u);
    ASSERT_EQ(node->members().size(), 5u);
    EXPECT_EQ(to_string(node->members()[0].type), "userland struct node *");
    EXPECT_EQ(node->members()[2].bit_offset, 96u);
    EXPECT_EQ(node->members()[2].bit_size, 3u);
    EXPECT_EQ(to_string(node->members()[4].type), "unsigned char [8]");
    EXPECT_EQ(foreign->readers(), 1u);
}

TEST_F(SandboxedTypesTest, ATypeThatIsFoundInTwoWaysIsOneObject)
{
    const auto types = of(DwarfImage::sample().file());
    const Type* const node = find(*types, TypeNamespace::Struct, "node");
    ASSERT_TRUE(node);
    EXPECT_EQ(node->members().at(0).type->target, node);
    EXPECT_EQ(find(*types, TypeNamespace::Ordinary, "node_t")->resolve(), node);
    EXPECT_EQ(find(*types, TypeNamespace::Ordinary, "int"), table.named("int"));
    EXPECT_EQ(to_string(find(*types, TypeNamespace::Variable, "top")), "userland node_t *");
    EXPECT_EQ(find(*types, TypeNamespace::Struct, "nosuch"), nullptr);
    EXPECT_EQ(types->problem(), "");
}

TEST_F(SandboxedTypesTest, TheOffsetOfATypeIsValidInAnotherReader)
{
    const auto types = of(DwarfImage::sample().file());
    const Type* const node = find(*types, TypeNamespace::Struct, "node");
    ASSERT_TRUE(node);
    foreign->end();
    ASSERT_EQ(node->members().size(), 5u);
    foreign->end();
    const Type* const colour = node->members()[3].type;
    EXPECT_EQ(colour->enumerators().at(1).value, 200);
    EXPECT_FALSE(colour->is_signed);
    EXPECT_EQ(find(*types, TypeNamespace::Enum, "colour"), colour);
}

TEST_F(SandboxedTypesTest, AFunctionHasItsParametersAndReturnType)
{
    const auto types = of(DwarfImage::sample().file());
    const auto pick = types->prototype(DwarfImage::kCode, "pick", Calls::C);
    EXPECT_EQ(pick.untyped, "");
    ASSERT_EQ(pick.parameters.size(), 2u);
    EXPECT_EQ(pick.parameters[0].name, "from");
    EXPECT_EQ(to_string(pick.parameters[0].type(table)), "userland struct node *");
    EXPECT_EQ(to_string(pick.parameters[1].type(table)), "long");
    ASSERT_TRUE(pick.result);
    EXPECT_EQ(to_string(pick.result->type(table)), "int");
    EXPECT_THAT(types->prototype(DwarfImage::kCode + 1, "other", Calls::C).untyped,
                testing::StartsWith("the debug information does not have this function, so"));
}

TEST_F(SandboxedTypesTest, ADeclaredStructureIsCompletedByTheSandboxedReader)
{
    DwarfImage image = DwarfImage::sample();
    image.label("to_hidden").begin(DwarfImage::Pointer).refer("hidden");
    image.begin(DwarfImage::Typedef).text("handle").refer("to_hidden");
    image.begin(DwarfImage::RecordOf).text("hidden").put8(4);
    image.begin(DwarfImage::MemberAt).text("value").refer("int").put8(0).end();
    const auto types = of(image.file());
    const Type* const hidden = find(*types, TypeNamespace::Ordinary, "handle")->resolve()->target;
    ASSERT_TRUE(hidden->incomplete);
    ASSERT_TRUE(hidden->definition);
    ASSERT_TRUE(hidden->definition());
    EXPECT_EQ(hidden->definition()->size, 4u);
    EXPECT_EQ(hidden->definition()->members().size(), 1u);
}

TEST_F(SandboxedTypesTest, AFileWithoutTypesIsNoError)
{
    const auto types = std::make_shared<SandboxedTypes>(foreign, "/bin/sh");
    EXPECT_EQ(find(*types, TypeNamespace::Struct, "nosuch_struct_of_anybody"), nullptr);
    EXPECT_EQ(types->problem(), "");
    const auto nowhere = std::make_shared<SandboxedTypes>(foreign, "/nosuch/file");
    EXPECT_EQ(find(*nowhere, TypeNamespace::Struct, "node"), nullptr);
    EXPECT_NE(nowhere->problem(), "");
}

// ---- malicious answers ---------------------------------------------------------------------------------------------

/// Visits every type that print() would visit. Limits the number of steps, to detect cycles.
void walk_told(const Type* type, unsigned depth, std::size_t& left)
{
    ASSERT_LT(depth, 400u) << "a type contains itself";
    if (left == 0)
        return;
    --left;
    ASSERT_LT(to_string(type).size(), std::size_t{1} << 20);
    type = type->resolve();
    if (type->kind == TypeKind::Array)
        walk_told(type->target, depth + 1, left);
    for (const Member& member : type->members()) {
        ASSERT_LE(member.bit_offset + (member.bit_size ? member.bit_size : member.type->resolve()->size * 8),
                  type->size * 8);
        walk_told(member.type, depth + 1, left);
    }
}

/// Creates answers of a malicious reader. They describe a structure with one member, and some of the data is false. All
/// positions are in part 0 of the debug information.
class Liar {
public:
    explicit Liar(TypeTable& table)
        : told(
              table, [this](const TypePosition& place) { return inside[place.at]; },
              [this](const TypePosition& place) { return definitions[place.at]; })
    {
    }
    static std::string record(uint64_t place, uint64_t size, uint64_t nesting)
    {
        PackedWriter out;
        // an entry of kind 6 is a structure or union; the following 0 means a structure
        for (const uint64_t number : {uint64_t{6}, uint64_t{0}, place, uint64_t{0}})
            out.number(number);
        out.text("r" + std::to_string(place));
        out.number(size);
        out.number(0);
        out.number(nesting);
        return out.take();
    }
    static std::string one_member(const std::string& type, uint64_t offset)
    {
        PackedWriter out;
        out.number(1);
        out.text("m");
        out.number(offset);
        out.number(0);
        std::string bytes = out.take() + type;
        bytes += '\0'; // the number of enumerators, which is 0
        return bytes;
    }
    const Type* read(const std::string& bytes)
    {
        PackedReader in(bytes);
        const Type* const type = told.read(in);
        return in.good() ? type : nullptr;
    }

    std::map<uint64_t, std::string> inside, definitions;
    ReceivedTypes told;
};

TEST(ReceivedTypes, AStructureThatContainsItselfIsRefused)
{
    TypeTable table;
    Liar liar(table);
    liar.inside[1] = Liar::one_member(Liar::record(1, 8, 1), 0);
    const Type* const self = liar.read(Liar::record(1, 8, 1));
    ASSERT_TRUE(self);
    EXPECT_TRUE(self->members().empty());
}

TEST(ReceivedTypes, StructuresThatContainEachOtherAreRefused)
{
    TypeTable table;
    Liar liar(table);
    liar.inside[1] = Liar::one_member(Liar::record(2, 8, 1), 0);
    liar.inside[2] = Liar::one_member(Liar::record(1, 8, 0), 0);
    const Type* const one = liar.read(Liar::record(1, 8, 2));
    ASSERT_TRUE(one);
    ASSERT_EQ(one->members().size(), 1u);
    EXPECT_TRUE(one->members()[0].type->members().empty());
}

TEST(ReceivedTypes, AMemberOutsideItsStructureIsRefused)
{
    TypeTable table;
    Liar liar(table);
    liar.inside[1] = Liar::one_member(Liar::record(2, 8, 1), 1);
    EXPECT_TRUE(liar.read(Liar::record(1, 8, 2))->members().empty());
    liar.inside[3] = Liar::one_member(Liar::record(4, 16, 1), 0);
    EXPECT_TRUE(liar.read(Liar::record(3, 8, 2))->members().empty());
}

TEST(ReceivedTypes, ASelfReferencingTypedefIsRefused)
{
    TypeTable table;
    Liar liar(table);
    PackedWriter out;
    for (const uint64_t number : {5, 0, 7}) // an entry of kind 5 introduces a typedef
        out.number(number);
    out.text("t");
    // an entry of kind 4 refers to a type that was sent before; here to the typedef itself
    for (const uint64_t number : {4, 0, 7})
        out.number(number);
    const Type* const type = liar.read(out.bytes());
    ASSERT_TRUE(type);
    EXPECT_EQ(type->resolve()->kind, TypeKind::Void);
}

TEST(ReceivedTypes, DamagedAnswersGiveATypeOrNothing)
{
    TypeTable source;
    const std::string path = testing::TempDir() + "dt_told_" + std::to_string(getpid());
    const std::vector<char> bytes = DwarfImage::sample().file();
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    FileTypes file(path, path);
    const auto place_of = [&](const Type* type) { return file.place_of(source, type); };
    PackedWriter told, inside;
    const Type* const node = file.find(source, TypeNamespace::Struct, "node");
    ASSERT_TRUE(node);
    TypeSerializer(place_of).serialize(node->members().at(0).type, told);
    TypeSerializer(place_of).serialize_members_of(node, inside);
    std::filesystem::remove(path);
    std::mt19937 random(11);
    for (int round = 0; round < 2000; ++round) {
        std::string bad = told.bytes(), members = inside.bytes();
        for (std::string* const each : {&bad, &members})
            for (int i = 0; i < 2; ++i)
                (*each)[random() % each->size()] = static_cast<char>(random());
        TypeTable table;
        const auto answer = [&](const TypePosition&) { return members; };
        ReceivedTypes types(table, answer, answer);
        PackedReader in(bad);
        std::size_t left = 2000;
        walk_told(types.read(in), 0, left);
    }
}

} // namespace
} // namespace dt
