// Tests how the checker recognizes types of traced processes from their layout in debug information: strings, slices,
// enums of Rust, smart pointers and interfaces of Go.
#include <gtest/gtest.h>

#include "dcompiler/sema/checker/checker.hpp"

namespace dt::sema {
namespace {

class ValuesOfProcesses : public testing::Test {
protected:
    Type* record(std::string name, std::vector<Member> members)
    {
        Type* const made = table.make(TypeKind::Struct, std::move(name));
        for (const Member& member : members)
            made->size = std::max(made->size, member.bit_offset / 8 + member.type->resolve()->size);
        made->complete = [members](std::vector<Member>& into, std::vector<Enumerator>&) { into = members; };
        return made;
    }

    const Type* pointer(const Type* target, AddressSpace space = AddressSpace::User)
    {
        return table.pointer_to(target, space, 8);
    }

    const Type* discriminant(std::vector<Enumerator> values, std::string name = {})
    {
        Type* const made = table.make(TypeKind::Enum, std::move(name));
        made->size = 8;
        made->complete = [values](std::vector<Member>&, std::vector<Enumerator>& into) { into = values; };
        return made;
    }

    /// Returns an enum type of Rust with the variants None (discriminant 0) and Some(inside).
    const Type* option(const Type* inside, std::string name_of_discriminant = {})
    {
        return record("Option", {{"discriminant", discriminant({{"None", 0}}, std::move(name_of_discriminant)), 0, 0},
                                 {"None", record("None", {}), 0, 0},
                                 {"Some", record("Some", {{"__0", inside, 0, 0}}), 0, 0}});
    }

    TypeTable table;
    const Type* byte = table.named("uint8_t");
    const Type* number = table.named("int");
    const Type* word = table.named("uint64_t");
    const Type* text = record("&str", {{"data_ptr", pointer(byte), 0, 0}, {"length", word, 64, 0}});
    const Type* bytes = record("&[u8]", {{"data_ptr", pointer(byte), 0, 0}, {"length", word, 64, 0}});
};

TEST_F(ValuesOfProcesses, TextsAndSlicesHaveAnAddressAndALength)
{
    const Type* const slice = record("[]int", {{"array", pointer(number), 0, 0}, {"len", word, 64, 0}});
    EXPECT_TRUE(has_counted_elements(slice));
    EXPECT_TRUE(has_counted_elements(pointer(slice)));
    EXPECT_FALSE(is_counted_text(slice));
    EXPECT_TRUE(is_counted_text(text) && !is_byte_slice(text));
    EXPECT_TRUE(is_counted_text(bytes) && is_byte_slice(bytes));
    EXPECT_FALSE(has_counted_elements(pointer(slice, AddressSpace::Kernel)));
    EXPECT_FALSE(has_counted_elements(
        record("[]int", {{"array", pointer(number, AddressSpace::Kernel), 0, 0}, {"len", word, 64, 0}})));
    EXPECT_FALSE(has_counted_elements(record("[]int", {{"array", word, 0, 0}, {"len", word, 64, 0}})));
}

TEST_F(ValuesOfProcesses, AVectorEndsAtAPointerOfItsType)
{
    const auto vector = [this](const Type* end) {
        return record("vector", {{"_M_impl",
                                  record("", {{"_M_start", pointer(number), 0, 0}, {"_M_finish", end, 64, 0}}), 0, 0}});
    };
    EXPECT_TRUE(has_counted_elements(vector(pointer(number))));
    EXPECT_FALSE(has_counted_elements(vector(pointer(byte))));
    EXPECT_FALSE(has_counted_elements(vector(word)));
}

TEST_F(ValuesOfProcesses, EnumsWithDataHaveAVariantForEachName)
{
    EXPECT_TRUE(has_variants(option(number)));
    EXPECT_FALSE(has_variants(option(number, "kind"))); // an ordinary member of the named enum type `kind`
    const Type* const none = record("None", {});
    EXPECT_FALSE(
        has_variants(record("e", {{"discriminant", discriminant({{"Missing", 0}}), 0, 0}, {"None", none, 0, 0}})));
    EXPECT_FALSE(has_variants(record("e", {{"discriminant", discriminant({}), 0, 0}, {"None", none, 0, 0}})));
    EXPECT_FALSE(has_variants(record(
        "e",
        {{"discriminant", discriminant({{"A", 0}}), 0, 0}, {"A", none, 0, 0}, {"B", none, 0, 0}, {"C", none, 0, 0}})));
}

TEST_F(ValuesOfProcesses, AnOptionOfATextIsAText)
{
    EXPECT_EQ(option_of_text(option(text)).size(), 2u);
    EXPECT_TRUE(option_of_text(option(bytes)).empty());
    EXPECT_TRUE(option_of_text(option(number)).empty());
    EXPECT_TRUE(is_counted_text(pointer(option(text))));
}

TEST_F(ValuesOfProcesses, AnOptionOfAPointerIsAPointer)
{
    EXPECT_TRUE(has_wrapped_pointer(option(pointer(number))));
    EXPECT_FALSE(has_wrapped_pointer(option(number)));
    const Type* const counted =
        record("RcInner", {{"strong", word, 0, 0}, {"weak", word, 64, 0}, {"value", number, 128, 0}});
    const Type* const rc = record("Rc", {{"ptr", record("NonNull", {{"pointer", pointer(counted), 0, 0}}), 0, 0}});
    EXPECT_TRUE(has_wrapped_pointer(rc));
    EXPECT_TRUE(has_wrapped_pointer(option(rc)));
    EXPECT_FALSE(has_wrapped_pointer(record("Rc", {{"ptr", record("", {{"pointer", pointer(number), 0, 0}}), 0, 0}})));
}

TEST_F(ValuesOfProcesses, AnInterfaceHasATypeAndData)
{
    const Type* const description = record("_type", {{"str", number, 64, 0}, {"tflag", byte, 32, 0}});
    const Type* const table_of = record("itab", {{"inter", word, 0, 0}, {"_type", pointer(description), 64, 0}});
    const Member data{"data", pointer(table.void_type()), 64, 0};
    EXPECT_TRUE(is_go_interface(record("iface", {{"tab", pointer(table_of), 0, 0}, data})));
    EXPECT_TRUE(is_go_interface(record("eface", {{"_type", pointer(description), 0, 0}, data})));
    EXPECT_FALSE(is_go_interface(record("eface", {{"_type", pointer(number), 0, 0}, data})));
    EXPECT_FALSE(is_go_interface(record("pair", {{"tab", pointer(table_of), 0, 0}, {"data", word, 64, 0}})));
}

} // namespace
} // namespace dt::sema
