// Tests the lengths that the decoder finds for x86-64 instructions. The assembler that builds this test gives the
// expected lengths.
#include "machine/x86_64/decode.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#if defined(__x86_64__)
// The assembler macro "one" assembles an instruction, and writes its length to the section dt_lengths.
asm(".macro one text:vararg\n"
    "771: \\text\n"
    "772: .pushsection dt_lengths,\"a\",@progbits\n"
    ".byte 772b - 771b\n"
    ".popsection\n"
    ".endm\n"
    ".pushsection dt_code,\"a\",@progbits\n"
    "one endbr64\n"
    "one push %r15\n"
    "one movabs $0x1122334455667788, %rax\n"
    "one movabs 0x1122334455667788, %al\n"
    "one mov $0x12345678, %eax\n"
    "one movw $0x1234, (%rax)\n"
    "one movq $0x12345678, 0x10(%rsp)\n"
    "one lea 0x1234(%rip), %r11\n"
    "one mov %fs:0x28, %rax\n"
    "one mov 8(%r12,%r13,4), %r14\n"
    "one mov (%r13), %eax\n"
    "one mov 0(,%rax,8), %rax\n"
    "one addr32 mov (%eax), %eax\n"
    "one lock cmpxchg16b (%rdi)\n"
    "one rep movsb\n"
    "one enter $16, $1\n"
    "one ret $8\n"
    "one testb $1, (%rax)\n"
    "one testw $1, (%rax)\n"
    "one notl (%rax)\n"
    "one imul $100000, %rcx, %rdx\n"
    "one call *8(%rax)\n"
    "one .byte 0xf2, 0xff, 0xe0\n" // bnd jmp *%rax, which newer assemblers refuse
    "one nopw %cs:0x200(%rax,%rax,1)\n"
    "one fldt 0x10(%rsp)\n"
    "one pshufd $1, %xmm1, %xmm2\n"
    "one pcmpistri $0xc, (%rsi), %xmm0\n"
    "one crc32q %rax, %rbx\n"
    "one aesenc %xmm1, %xmm2\n"
    "one extrq $1, $2, %xmm1\n"
    "one xabort $1\n"
    "one rdsspq %rax\n"
    "one vzeroupper\n"
    "one vmovdqu 0x20(%rdi), %ymm3\n"
    "one vpinsrw $1, %eax, %xmm1, %xmm2\n"
    "one vpermq $1, %ymm1, %ymm2\n"
    "one vldmxcsr 4(%rsp)\n"
    "one kmovd %k1, %eax\n"
    "one kortestq %k1, %k2\n"
    "one vmovdqu64 0x40(%rdi), %zmm16\n"
    "one vmovdqu64 0x1(%rdi), %zmm16\n"
    "one vpcmpub $4, (%rsi), %ymm17, %k1\n"
    "one vpternlogd $0xde, %ymm17, %ymm18, %ymm19\n"
    "one vpbroadcastb %esi, %ymm16\n"
    ".popsection\n");

extern "C" const uint8_t __start_dt_code[], __stop_dt_code[], __start_dt_lengths[], __stop_dt_lengths[];

namespace dt::machine::x86_64 {
namespace {

TEST(X86Decoder, InstructionLengthsAreThoseOfTheAssembler)
{
    std::span<const uint8_t> code(__start_dt_code, __stop_dt_code);
    const std::vector<uint8_t> lengths(__start_dt_lengths, __stop_dt_lengths);
    EXPECT_GT(lengths.size(), 40u);
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const auto decoded = decode(code, false);
        ASSERT_TRUE(decoded) << "instruction " << i;
        ASSERT_EQ(decoded->size, lengths[i]) << "instruction " << i;
        EXPECT_FALSE(decode(code.first(lengths[i] - 1u), false)) << "instruction " << i << ", cut short";
        code = code.subspan(lengths[i]);
    }
    EXPECT_TRUE(code.empty());
}

TEST(X86Decoder, InvalidInstructionsAreRecognized)
{
    constexpr uint8_t kNone[][4] = {{0x06},       {0x0f, 0x04}, {0xf0, 0x90}, {0x8d, 0xc0},
                                    {0xc7, 0x08}, {0xff, 0xff}, {0xd9, 0xd1}};
    for (const auto& bytes : kNone)
        EXPECT_FALSE(decode(bytes, false)) << std::hex << int{bytes[0]} << ' ' << int{bytes[1]};
    // push of a segment register, which is valid only in 32-bit code
    constexpr uint8_t kPush[] = {0x06, 0, 0, 0};
    EXPECT_TRUE(decode(kPush, true));
}

TEST(X86Decoder, TargetsOfJumpsAreFound)
{
    constexpr uint8_t kJump[] = {0xeb, 0xfe}, kNear[] = {0x0f, 0x84, 0x10, 0, 0, 0},
                      kCall[] = {0xe8, 0xfb, 0xff, 0xff, 0xff};
    EXPECT_EQ(decode(kJump, false)->immediate, -2);
    EXPECT_FALSE(decode(kJump, false)->is_conditional_jump());
    EXPECT_EQ(decode(kNear, false)->immediate, 16);
    EXPECT_TRUE(decode(kNear, false)->is_conditional_jump());
    EXPECT_EQ(decode(kCall, false)->immediate, -5);
    EXPECT_TRUE(decode(kCall, false)->is_call());
    EXPECT_FALSE(decode(kCall, false)->is_jump());
}

} // namespace
} // namespace dt::machine::x86_64
#endif
