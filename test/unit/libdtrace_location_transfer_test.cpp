// Tests the transfer of variable locations: the receiver gets what was sent, and rejects everything that no variable
// can have.
#include <gtest/gtest.h>

#include "libdtrace/types/type_transfer.hpp"
#include "machine/machine.hpp"

namespace dt {
namespace {

using Kind = Location::Kind;

Location of_register(uint32_t word)
{
    return {Kind::Register, word};
}

Location with_parts(Kind kind, uint32_t index, std::vector<Location> parts)
{
    Location made{kind, index};
    made.of = std::move(parts);
    return made;
}

/// Returns whether a variable with one piece at this location arrives unchanged.
bool arrives(const Location& where, uint32_t size = 8, bool is_address = true)
{
    const VariableLocation sent{{{0, size, is_address, where}}, {}};
    PackedWriter out;
    serialize_location(sent, out);
    PackedReader in(out.bytes());
    const VariableLocation received = read_location(in);
    return in.good() && in.at_end() && received == sent;
}

TEST(LocationTransfer, KeepsLocations)
{
    const Location address = with_parts(Kind::Add, 0, {of_register(19), {Kind::Constant, 0, -24}});
    EXPECT_TRUE(arrives(address, 100));
    EXPECT_TRUE(arrives(with_parts(Kind::UserWord, 0, {address})));
    EXPECT_TRUE(
        arrives(with_parts(Kind::Compute, Location::ShiftRightSigned, {of_register(0), {Kind::Constant, 0, 3}})));
    EXPECT_TRUE(arrives({Kind::ThreadPointer}));
    EXPECT_TRUE(arrives(of_register(0), 4, false));
}

TEST(LocationTransfer, KeepsAllPieces)
{
    const VariableLocation sent{{{0, 8, false, of_register(1)}, {8, 16, true, of_register(2)}}, {{24, 32}}};
    PackedWriter out;
    serialize_location(sent, out);
    PackedReader in(out.bytes());
    EXPECT_EQ(read_location(in), sent);
}

TEST(LocationTransfer, RejectsOtherData)
{
    EXPECT_FALSE(arrives(of_register(machine::native().saved.bytes / 8)));
    EXPECT_FALSE(arrives({Kind::CurrentTask}));
    EXPECT_FALSE(arrives({Kind::KernelMemory, 0, 0x10}));
    EXPECT_FALSE(arrives(with_parts(Kind::Compute, Location::kComputations, {of_register(0), of_register(1)})));
    EXPECT_FALSE(arrives(with_parts(Kind::Add, 0, {of_register(0)})));
    EXPECT_FALSE(arrives({Kind::Register, 0, 0, 3}));
    EXPECT_FALSE(arrives(of_register(0), 12, false));
}

TEST(LocationTransfer, RejectsDeepLocations)
{
    Location deep = of_register(0);
    for (int i = 0; i < 1000; ++i)
        deep = with_parts(Kind::UserWord, 0, {deep});
    EXPECT_FALSE(arrives(deep));
}

TEST(LocationTransfer, RejectsTruncatedData)
{
    PackedWriter out;
    serialize_location({{{0, 8, true, of_register(1)}}, {}}, out);
    for (std::size_t length = 0; length < out.bytes().size(); ++length) {
        PackedReader in(std::string_view(out.bytes()).substr(0, length));
        read_location(in);
        EXPECT_FALSE(in.good()) << length;
    }
}

} // namespace
} // namespace dt
