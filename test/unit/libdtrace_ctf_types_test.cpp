// Tests types from CTF (compact type format). The tests build the containers themselves.
#include "libdtrace/types/ctf_types.hpp"

#include <ctf-api.h>
#include <ctf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

/// The leak sanitizer calls this function to learn which leaks to ignore. libctf 2.40 leaks the memory of containers
/// that it refuses.
extern "C" const char* __lsan_default_suppressions()
{
    return "leak:libctf-nobfd";
}

namespace dt {
namespace {

using testing::HasSubstr;

/// Types of the test: struct node { struct node *next; int value; unsigned flags:3, state:5; char name[8]; }; typedef
/// struct node node_t; node_t *top; enum colour { RED, BLUE = 5 }; int compare(int, ...).
ctf_dict_t* make_container(ctf_dict_t* parent = nullptr)
{
    int error = 0;
    ctf_dict_t* dict = ctf_create(&error);
    if (parent)
        ctf_import(dict, parent);
    const ctf_encoding_t of_int{CTF_INT_SIGNED, 0, 32}, of_unsigned{0, 0, 32},
        of_char{CTF_INT_SIGNED | CTF_INT_CHAR, 0, 8}, of_long{0, 0, 64};
    const ctf_id_t number = ctf_add_integer(dict, CTF_ADD_ROOT, "int", &of_int);
    const ctf_id_t natural = ctf_add_integer(dict, CTF_ADD_ROOT, "unsigned int", &of_unsigned);
    const ctf_id_t character = ctf_add_integer(dict, CTF_ADD_ROOT, "char", &of_char);
    const ctf_id_t index = ctf_add_integer(dict, CTF_ADD_ROOT, "long unsigned int", &of_long);
    const ctf_arinfo_t eight{character, index, 8};
    const ctf_encoding_t three{0, 0, 3}, five{0, 0, 5};
    const ctf_id_t node = ctf_add_struct(dict, CTF_ADD_ROOT, "node");
    ctf_add_member_offset(dict, node, "next", ctf_add_pointer(dict, CTF_ADD_ROOT, node), 0);
    ctf_add_member_offset(dict, node, "value", number, 64);
    ctf_add_member_offset(dict, node, "flags", ctf_add_slice(dict, CTF_ADD_NONROOT, natural, &three), 96);
    ctf_add_member_offset(dict, node, "state", ctf_add_slice(dict, CTF_ADD_NONROOT, natural, &five), 99);
    ctf_add_member_offset(dict, node, "name", ctf_add_array(dict, CTF_ADD_ROOT, &eight), 128);
    const ctf_id_t node_t = ctf_add_typedef(dict, CTF_ADD_ROOT, "node_t", node);
    const ctf_id_t colour = ctf_add_enum(dict, CTF_ADD_ROOT, "colour");
    ctf_add_enumerator(dict, colour, "RED", 0);
    ctf_add_enumerator(dict, colour, "BLUE", 5);
    ctf_id_t first = number;
    ctf_funcinfo_t takes{number, 1, CTF_FUNC_VARARG};
    ctf_add_variable(dict, "compare", ctf_add_function(dict, CTF_ADD_ROOT, &takes, &first));
    ctf_add_variable(dict, "top", ctf_add_pointer(dict, CTF_ADD_ROOT, node_t));
    return dict;
}

std::string bytes_of(ctf_dict_t* dict, std::size_t compress_above = SIZE_MAX)
{
    std::size_t size = 0;
    unsigned char* bytes = ctf_write_mem(dict, &size, compress_above);
    std::string text(reinterpret_cast<char*>(bytes), bytes ? size : 0);
    std::free(bytes);
    ctf_dict_close(dict);
    return text;
}

class CtfFile {
public:
    explicit CtfFile(const std::string& bytes)
        : path_(testing::TempDir() + "dt_ctf_" + std::to_string(getpid()) + "_" +
                std::to_string(reinterpret_cast<uintptr_t>(this)))
    {
        FILE* file = std::fopen(path_.c_str(), "w");
        std::fwrite(bytes.data(), 1, bytes.size(), file);
        std::fclose(file);
    }
    ~CtfFile() { std::remove(path_.c_str()); }

    Result<std::unique_ptr<CtfTypes>> open(AddressSpace space = AddressSpace::Kernel) const
    {
        return CtfTypes::open(path_, space);
    }

private:
    std::string path_;
};

class Ctf : public testing::Test {
protected:
    TypeTable table;
    CtfFile file{bytes_of(make_container())};
    std::unique_ptr<CtfTypes> types = std::move(file.open().value());

    const Type* find(TypeNamespace space, const char* name) { return types->find(table, space, name, ""); }
};

TEST_F(Ctf, TypesAreFoundByNameAndUnknownNamesAreNot)
{
    EXPECT_EQ(find(TypeNamespace::Ordinary, "int"), table.named("int"));
    EXPECT_EQ(find(TypeNamespace::Ordinary, "nosuch_t"), nullptr);
}

TEST_F(Ctf, ATypeTableKeepsItsTypesAfterAnotherTableIsDestroyed)
{
    const Type* first = find(TypeNamespace::Struct, "node");
    {
        TypeTable other;
        const Type* second = types->find(other, TypeNamespace::Struct, "node", "");
        ASSERT_NE(second, nullptr);
        EXPECT_NE(second, first);
        EXPECT_EQ(second->members()[0].type->target, second);
    }
    EXPECT_EQ(find(TypeNamespace::Struct, "node"), first);
    EXPECT_EQ(first->members()[0].type->target, first);
}

TEST_F(Ctf, MembersOfStructsAreRead)
{
    const Type* node = find(TypeNamespace::Struct, "node");
    ASSERT_NE(node, nullptr);
    EXPECT_EQ(node->size, 24u);
    const auto& members = node->members();
    ASSERT_EQ(members.size(), 5u);
    EXPECT_EQ(members[0].type->target, node);
    EXPECT_EQ(members[1].bit_offset, 64u);
    EXPECT_EQ(to_string(members[4].type), "char [8]");
}

TEST_F(Ctf, SlicesOfIntegersAreReadAsBitFields)
{
    const auto& members = find(TypeNamespace::Struct, "node")->members();
    EXPECT_EQ(members[1].bit_size, 0u);
    EXPECT_EQ(members[2].bit_size, 3u);
    EXPECT_EQ(members[3].bit_size, 5u);
    EXPECT_EQ(members[3].bit_offset, 99u);
    EXPECT_EQ(members[3].type, table.named("unsigned int"));
}

TEST_F(Ctf, TypedefsEnumsAndFunctionsAreRead)
{
    EXPECT_EQ(find(TypeNamespace::Ordinary, "node_t")->resolve(), find(TypeNamespace::Struct, "node"));
    EXPECT_EQ(find(TypeNamespace::Enum, "colour")->enumerators()[1].value, 5);
    EXPECT_EQ(to_string(find(TypeNamespace::Variable, "compare")), "int (int, ...)");
}

TEST_F(Ctf, VariablesHaveTheirDeclaredTypes)
{
    EXPECT_EQ(to_string(find(TypeNamespace::Variable, "top")), "node_t *");
    EXPECT_EQ(find(TypeNamespace::Ordinary, "top"), nullptr);
}

TEST_F(Ctf, PointersInTypesOfAProcessPointToUserMemory)
{
    TypeTable own;
    auto user = std::move(file.open(AddressSpace::User).value());
    EXPECT_EQ(user->find(own, TypeNamespace::Variable, "top", "")->space, AddressSpace::User);
}

/// Returns a CTF archive like that of a kernel. It contains shared types, the core kernel with the variable `first`,
/// and the module `odd` with the variable `second`.
std::string make_archive()
{
    int error = 0;
    ctf_dict_t* shared = make_container();
    ctf_dict_t* dicts[] = {shared, ctf_create(&error), ctf_create(&error)};
    const char* names[] = {"shared_ctf", "vmlinux", "odd"};
    const char* variables[] = {"", "first", "second"};
    for (int i : {1, 2}) {
        ctf_import(dicts[i], shared);
        ctf_parent_name_set(dicts[i], "shared_ctf");
        ctf_add_variable(dicts[i], variables[i], ctf_lookup_by_name(shared, "struct node"));
    }
    const std::string path = testing::TempDir() + "dt_ctfa_" + std::to_string(getpid());
    EXPECT_EQ(ctf_arc_write(path.c_str(), dicts, 3, names, 4096), 0);
    for (ctf_dict_t* dict : {dicts[2], dicts[1], shared})
        ctf_dict_close(dict);
    std::ostringstream bytes;
    bytes << std::ifstream(path).rdbuf();
    std::remove(path.c_str());
    return bytes.str();
}

TEST(CtfArchive, AModuleRefersToTypesOfItsParentContainer)
{
    const auto types = CtfFile(make_archive()).open();
    ASSERT_TRUE(types) << types.error().message;
    TypeTable table;
    CtfTypes& archive = *types.value();
    EXPECT_TRUE(archive.has_module("odd"));
    EXPECT_FALSE(archive.has_module("even"));
    const Type* first = archive.find(table, TypeNamespace::Variable, "first", "vmlinux");
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(archive.find(table, TypeNamespace::Variable, "second", "odd"), first);
    EXPECT_EQ(archive.find(table, TypeNamespace::Variable, "second", "vmlinux"), nullptr);
    EXPECT_EQ(archive.find(table, TypeNamespace::Struct, "node", ""), first);
}

TEST(CtfArchive, ADamagedModuleIsReportedSeparately)
{
    std::string bytes = make_archive();
    const auto containers = split_ctf(bytes);
    ASSERT_EQ(containers.value()[0].name, "odd"); // containers of an archive are sorted by name
    const auto odd = static_cast<std::size_t>(containers.value()[0].bytes.data() - bytes.data());
    bytes[odd] ^= 1;
    const auto types = CtfFile(bytes).open();
    ASSERT_TRUE(types) << types.error().message;
    TypeTable table;
    EXPECT_NE(types.value()->find(table, TypeNamespace::Variable, "first", "vmlinux"), nullptr);
    EXPECT_EQ(types.value()->find(table, TypeNamespace::Variable, "second", "odd"), nullptr);
    EXPECT_EQ(types.value()->problem("vmlinux"), "");
    EXPECT_THAT(types.value()->problem("odd"), HasSubstr("not a CTF container"));
    EXPECT_FALSE(CtfFile(bytes).open(AddressSpace::User));
}

TEST(CtfArchive, DuplicateContainerNamesAreRefused)
{
    std::string bytes = make_archive();
    ctf_archive_modent_t entries[3]; // the entries follow a header of five 8-byte words
    std::memcpy(entries, bytes.data() + 40, sizeof entries);
    entries[1].name_offset = entries[0].name_offset;
    std::memcpy(bytes.data() + 40, entries, sizeof entries);
    EXPECT_EQ(split_ctf(bytes).error().message, "two containers are called odd");
}

TEST(CtfDamage, ATruncatedArchiveIsRefusedAtEveryLength)
{
    const std::string whole = make_archive();
    const auto containers = split_ctf(whole);
    ASSERT_EQ(containers.value().size(), 3u);
    EXPECT_EQ(containers.value()[2].name, "vmlinux");
    std::size_t end = 0; // offset of the end of the last container
    for (const CtfContainer& each : containers.value())
        end = std::max(end, static_cast<std::size_t>(each.bytes.data() + each.bytes.size() - whole.data()));
    for (std::size_t size = 8; size < end; ++size)
        EXPECT_FALSE(split_ctf(std::string_view(whole).substr(0, size))) << size;
}

TEST(CtfDamage, DataInAnotherFormatIsReported)
{
    const auto opened = CtfFile("hello, world").open();
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().message, HasSubstr("Module does not contain any CTF data"));
    EXPECT_EQ(CtfTypes::open("/nosuch/file", AddressSpace::Kernel).error().code, ENOENT);
    EXPECT_EQ(CtfTypes::open("/proc/self/exe", AddressSpace::User).error().code, ENODATA);
}

TEST(CtfDamage, ATruncatedContainerIsRefusedAtEveryLength)
{
    const std::string whole = bytes_of(make_container()), packed = bytes_of(make_container(), 0);
    EXPECT_FALSE(find_ctf_fault(whole));
    EXPECT_FALSE(find_ctf_fault(packed));
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_TRUE(find_ctf_fault(std::string_view(whole).substr(0, size))) << size;
    for (std::size_t size = 0; size < packed.size(); ++size)
        EXPECT_TRUE(find_ctf_fault(std::string_view(packed).substr(0, size))) << size;
}

TEST(CtfDamage, AStructThatContainsItselfIsRefused)
{
    int error = 0;
    ctf_dict_t* dict = ctf_create(&error);
    const ctf_id_t outer = ctf_add_struct(dict, CTF_ADD_ROOT, "outer");
    const ctf_id_t inner = ctf_add_struct(dict, CTF_ADD_ROOT, "inner");
    ctf_add_member_offset(dict, outer, "in", inner, 0);
    ctf_add_member_offset(dict, inner, "out", ctf_add_typedef(dict, CTF_ADD_ROOT, "outer_t", outer), 0);
    const auto fault = find_ctf_fault(bytes_of(dict));
    ASSERT_TRUE(fault);
    EXPECT_THAT(*fault, HasSubstr("contains itself"));
}

/// Visits every type that is reachable, so that invalid references are found.
void walk(const Type* type, int depth)
{
    if (!type || depth == 0)
        return;
    to_string(type);
    type->enumerators();
    for (const Member& member : type->members())
        walk(member.type, depth - 1);
    walk(type->target, depth - 1);
}

/// Parses `rounds` variants of the bytes, in each of which a few bytes are changed. Returns the number of variants that
/// could be opened.
int read_changed(const std::string& whole, int rounds)
{
    std::mt19937 random(7);
    int accepted = 0;
    for (int round = 0; round < rounds; ++round) {
        std::string changed = whole;
        for (unsigned i = random() % 4 + 1; i > 0; --i)
            changed[random() % changed.size()] = static_cast<char>(round % 2 ? random() : random() % 16);
        const auto types = CtfFile(changed).open(round % 3 ? AddressSpace::Kernel : AddressSpace::User);
        if (!types)
            continue;
        ++accepted;
        TypeTable table;
        for (const char* module : {"", "odd"}) {
            walk(types.value()->find(table, TypeNamespace::Struct, "node", module), 6);
            walk(types.value()->find(table, TypeNamespace::Enum, "colour", module), 6);
            for (const char* variable : {"top", "compare", "first", "second"})
                walk(types.value()->find(table, TypeNamespace::Variable, variable, module), 6);
        }
    }
    return accepted;
}

TEST(CtfDamage, ChangedBytesAreRefusedOrReadWithoutHarm)
{
    for (const std::string& whole : {bytes_of(make_container()), make_archive()}) {
        const int accepted = read_changed(whole, 2000);
        EXPECT_GT(accepted, 0);
        EXPECT_LT(accepted, 2000);
    }
}

} // namespace
} // namespace dt
