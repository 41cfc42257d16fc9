// Tests the search in machine code for loads and address calculations.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "machine/accesses.hpp"
#include "machine/machine.hpp"

namespace dt::machine {
namespace {

class Accesses : public testing::Test {
    void SetUp() override
    {
        if (native().name != "x86_64")
            GTEST_SKIP() << "no accesses are found on this machine";
    }
};

TEST_F(Accesses, AnAddressFromTheProgramCounterIsRelativeToTheFunction)
{
    const std::vector<uint8_t> code = {0xf3, 0x0f, 0x1e, 0xfa,                    // endbr64
                                       0x48, 0x8d, 0x3d, 0x10, 0x00, 0x00, 0x00,  // lea 0x10(%rip),%rdi
                                       0x48, 0x8b, 0x05, 0xf0, 0xff, 0xff, 0xff}; // mov -0x10(%rip),%rax
    const std::vector<Access> found = read_accesses(code);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_FALSE(found[0].is_load);
    EXPECT_EQ(found[0].base, Access::kFunctionStart);
    EXPECT_EQ(found[0].offset, 11 + 0x10);
    EXPECT_EQ(found[0].to, 7);
    EXPECT_TRUE(found[1].is_load);
    EXPECT_EQ(found[1].offset, 18 - 0x10);
}

TEST_F(Accesses, OtherAddressesHaveARegister)
{
    const std::vector<uint8_t> code = {0xe8, 0x00, 0x00, 0x00, 0x00,                         // call
                                       0x48, 0x8b, 0x78, 0x10,                               // mov 0x10(%rax),%rdi
                                       0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0x00, 0x00, 0x00, // mov %fs:0x28,%rax
                                       0x8b, 0x00,                                           // mov (%rax),%eax
                                       0x4c, 0x8b, 0x3f};                                    // mov (%rdi),%r15
    const std::vector<Access> found = read_accesses(code);
    ASSERT_EQ(found.size(), 2U) << "neither of thread-local variables nor of 4 bytes";
    EXPECT_EQ(found[0].base, 0);
    EXPECT_EQ(found[0].offset, 0x10);
    EXPECT_EQ(found[1].base, 7);
    EXPECT_EQ(found[1].to, 15);
}

TEST_F(Accesses, TheEndOfTheCodeMayCutAnInstruction)
{
    const std::vector<uint8_t> code = {0x48, 0x8b, 0x78, 0x10, 0x48, 0x8d, 0x3d, 0x10};
    for (std::size_t size = 0; size <= code.size(); ++size)
        EXPECT_EQ(read_accesses(std::span(code).first(size)).size(), size < 4 ? 0U : 1U);
}

} // namespace
} // namespace dt::machine
