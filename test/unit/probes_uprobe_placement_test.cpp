// Tests at which instruction of a function a probe of a process is placed. The code is written here by hand
// (docs/decisions/17-where-probes-are-put.md).
#include "probes/user/uprobe_placement.hpp"

#include <gmock/gmock.h>

namespace dt::probes {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes operator+(Bytes a, const Bytes& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

const Bytes kEndbr = {0xf3, 0x0f, 0x1e, 0xfa};
const Bytes kPushRbp = {0x55}, kPushR15 = {0x41, 0x57};
const Bytes kNop5 = {0x0f, 0x1f, 0x44, 0x00, 0x00};
const Bytes kRet = {0xc3};
const Bytes kMovEaxEdi = {0x89, 0xf8}, kMovRdiRsi = {0x48, 0x89, 0xf7}, kSubRsp = {0x48, 0x83, 0xec, 0x18},
            kLoadEax = {0x8b, 0x07};
const Bytes kXorEax = {0x31, 0xc0}, kTestRdi = {0x48, 0x85, 0xff};
const Bytes kJumpTable = {0xff, 0x24, 0xc5, 0, 0x10, 0, 0}; // jmp *0x1000(,%rax,8)

Bytes jump_back(int bytes)
{
    return {0xeb, static_cast<uint8_t>(-bytes - 2)};
}

uint32_t entry_place(const Bytes& code)
{
    return FunctionCode(code).entry_place();
}

FunctionCode::Placement offset_place(const Bytes& code, uint32_t offset, bool clobbers)
{
    return FunctionCode(code).place_of(offset, clobbers);
}

TEST(EntryProbe, IsPlacedAfterEndbrAtAPush)
{
    EXPECT_EQ(entry_place(kEndbr + kPushRbp + kRet), 4u);
    EXPECT_EQ(entry_place(kEndbr + kPushR15 + kRet), 4u);
    EXPECT_EQ(entry_place(kPushRbp + kRet), 0u);
}

TEST(EntryProbe, IsPlacedAfterInstructionsThatKeepTheArguments)
{
    EXPECT_EQ(entry_place(kEndbr + kMovEaxEdi + kPushRbp + kRet), 6u);
    EXPECT_EQ(entry_place(kXorEax + kPushRbp + kRet), 2u);
    EXPECT_EQ(entry_place(kEndbr + kTestRdi + Bytes{0x74, 0x00} + kRet), 7u); // je to the next instruction
}

TEST(EntryProbe, IsPlacedBeforeInstructionsThatChangeArguments)
{
    EXPECT_EQ(entry_place(kMovRdiRsi + kPushRbp + kRet), 0u); // the probe is not moved, because mov changes an argument
    // the probe is not moved, because sub changes the stack pointer
    EXPECT_EQ(entry_place(kSubRsp + kPushRbp + kRet), 0u);
    EXPECT_EQ(entry_place(kLoadEax + kPushRbp + kRet), 0u); // the probe is not moved, because the load may fail
    // the probe stays at the start, because the kernel cannot emulate the instruction after endbr
    EXPECT_EQ(entry_place(kEndbr + kSubRsp + kRet), 0u);
}

TEST(EntryProbe, IsPlacedAtTheStartIfAJumpMayLeadToASkippedInstruction)
{
    // the probe is not moved, because the code jumps back to the test instruction
    EXPECT_EQ(entry_place(kEndbr + kTestRdi + Bytes{0x74, 0x05} + jump_back(5)), 0u);
    // the probe is not moved, because the jump table may lead to any instruction
    EXPECT_EQ(entry_place(kEndbr + kTestRdi + Bytes{0x74, 0x07} + kJumpTable), 0u);
    // the probe is moved behind endbr, the only instruction that it may skip
    EXPECT_EQ(entry_place(kEndbr + kPushRbp + kJumpTable), 4u);
    // the probe is not moved: invalid bytes follow, so not all jumps are known
    EXPECT_EQ(entry_place(kEndbr + kPushRbp + Bytes{0x06}), 0u);
}

TEST(EntryProbe, IsPlacedAfterVectorInstructionsThatTheKernelRefuses)
{
    const Bytes move = {0xc5, 0xf9, 0x6e, 0xc6},              // vmovd %esi,%xmm0
        spread = {0xc4, 0xe2, 0x7d, 0x78, 0xc0},              // vpbroadcastb %xmm0,%ymm0
        spread_number = {0x62, 0xe2, 0x7d, 0x28, 0x7a, 0xc6}, // vpbroadcastb %esi,%ymm16
        load = {0xc5, 0xfd, 0x6f, 0x07},
                to_register = {0xc5, 0xf9, 0x7e, 0xc6}; // vmovdqa (%rdi),%ymm0; vmovd %xmm0,%esi
    EXPECT_EQ(entry_place(move + kMovRdiRsi + kRet), 4u);
    EXPECT_EQ(entry_place(move + spread + kMovRdiRsi + kRet), 9u);
    EXPECT_EQ(entry_place(spread_number + kMovRdiRsi + kRet), 6u);
    EXPECT_EQ(entry_place(load + kMovRdiRsi + kRet), 0u); // the probe is not moved, because the load may fail
    // the probe is not moved, because the instruction changes an argument
    EXPECT_EQ(entry_place(to_register + kMovRdiRsi + kRet), 0u);
    EXPECT_EQ(entry_place(move + kMovRdiRsi + jump_back(3)), 0u);
    EXPECT_EQ(entry_place(move + kRet), 4u);
}

TEST(EntryProbe, IsPlacedAfterTheStackCheckOfGo)
{
    const Bytes check = {0x49, 0x3b, 0x66, 0x10, 0x76, 0x09},
                large = {0x4c, 0x8d, 0x64, 0x24, 0xe0, 0x4d, 0x3b, 0x66, 0x10, 0x76, 0x09};
    const Bytes grow = {0xe8, 0, 0x10, 0, 0}; // call morestack
    EXPECT_EQ(FunctionCode(check + kSubRsp + kNop5 + grow + jump_back(20)).go_entry_place(), 6u);
    EXPECT_EQ(FunctionCode(large + kSubRsp + kNop5 + grow + jump_back(25)).go_entry_place(), 11u);
    EXPECT_EQ(FunctionCode(kSubRsp + kRet).go_entry_place(), 0u);
}

TEST(ReturnInstructions, OfAFunctionAreAllFound)
{
    EXPECT_THAT(FunctionCode(kXorEax + kRet + kEndbr + kRet).returns(), testing::ElementsAre(2, 7));
    EXPECT_TRUE(FunctionCode(kXorEax).returns().empty());
}

TEST(ReturnInstructions, IncludeIndirectTailCalls)
{
    const Bytes member = {0xff, 0x60, 0x10}, pointer = {0xff, 0xe0}, add = {0x48, 0x01, 0xd0},
                marked = {0x3e, 0xff, 0xe0};
    const Bytes table = {0xff, 0x24, 0xc5, 0, 0, 0, 0}, free_stack = {0x48, 0x83, 0xc4, 0x08};
    EXPECT_THAT(FunctionCode(kXorEax + member).returns(), testing::ElementsAre(2)); // jmp *0x10(%rax)
    EXPECT_THAT(FunctionCode(free_stack + pointer).returns(), testing::ElementsAre(4));
    // this branch is a switch statement's jump, not a return
    EXPECT_TRUE(FunctionCode(add + pointer).returns().empty());
    EXPECT_TRUE(FunctionCode(kXorEax + marked).returns().empty());
    EXPECT_TRUE(FunctionCode(kXorEax + table).returns().empty());
}

TEST(FunctionExits, AreJumpsOutOfTheFunction)
{
    const Bytes inside = {0xeb, 0x00}, outside = {0xe9, 0x00, 0x10, 0, 0}, perhaps = {0x0f, 0x84, 0x00, 0x10, 0, 0},
                call = {0xe8, 0, 0x10, 0, 0};
    const FunctionCode code(inside + perhaps + call + outside);
    ASSERT_EQ(code.exits().size(), 2u);
    EXPECT_TRUE(code.exits()[0].is_conditional);
    EXPECT_EQ(code.exits()[1].offset, 13u);
    EXPECT_EQ(code.exits()[1].target, 18 + 0x1000);
}

TEST(OffsetProbe, IsPlacedAtTheInstructionItself)
{
    const Bytes code = kEndbr + kSubRsp + kNop5 + kRet;
    EXPECT_THAT(FunctionCode(code).offsets(), testing::ElementsAre(0, 4, 8, 13));
    EXPECT_EQ(offset_place(code, 4, true).offset, 4u);
    EXPECT_EQ(offset_place(code, 8, false).offset, 8u);
}

TEST(OffsetProbe, TheErrorForAnOffsetInsideAnInstructionNamesTheInstruction)
{
    const auto place = offset_place(kEndbr + kSubRsp + kRet, 6, false);
    EXPECT_TRUE(place.is_inside_another);
    EXPECT_EQ(place.offset, 4u);
}

TEST(OffsetProbe, MovesFromAFiveByteNopToTheNextInstruction)
{
    EXPECT_EQ(offset_place(kXorEax + kNop5 + kRet, 2, true).offset, 7u);
    // the probe is not moved: at its entry, a function does not use its red zone yet
    EXPECT_EQ(offset_place(kNop5 + kRet, 0, true).offset, 0u);
}

TEST(OffsetProbe, IsRefusedAtAFiveByteNopBeforeAJumpTarget)
{
    EXPECT_FALSE(offset_place(kXorEax + kNop5 + kTestRdi + jump_back(3), 2, true).refusal.empty());
    EXPECT_FALSE(offset_place(kXorEax + kNop5 + kRet + kJumpTable, 2, true).refusal.empty());
    EXPECT_FALSE(offset_place(kXorEax + kNop5 + kNop5 + kRet, 2, true).refusal.empty());
    EXPECT_FALSE(offset_place(kXorEax + kNop5, 2, true).refusal.empty());
}

TEST(OffsetProbe, IsRefusedAtInstructionsThatTheKernelCannotExecute)
{
    for (const Bytes& code :
         {Bytes{0xf0, 0xff, 0x07}, Bytes{0xf4}, Bytes{0xcc}, Bytes{0x2e, 0x0f, 0x1f, 0x00}, Bytes{0x3e, 0xff, 0xe0},
          Bytes{0xc5, 0xf9, 0x6e, 0xc6}, Bytes{0x0f, 0x05}, Bytes{0x0f, 0x34}, Bytes{0xcd, 0x80}})
        EXPECT_FALSE(offset_place(code, 0, false).refusal.empty()) << int{code[0]};
    EXPECT_TRUE(offset_place(kRet, 0, false).refusal.empty());
}

TEST(OffsetProbe, IsRefusedAtInstructionsThatTheKernelMistakesForJumps)
{
    const Bytes shuffle = {0xc5, 0xf9, 0x70, 0xc9, 0x00}, // vpshufd $0,%xmm1,%xmm1
        broadcast = {0x62, 0xe2, 0x7d, 0x28, 0x7a, 0xce}, // vpbroadcastb %esi,%ymm17
        subtract = {0x62, 0xa1, 0x6d, 0x20, 0xe8, 0xd9},  // vpsubsb %ymm17,%ymm18,%ymm19
        store = {0x62, 0xe1, 0x7c, 0x28, 0x11, 0x0f},     // vmovups %ymm17,(%rdi)
        old_shuffle = {0x66, 0x0f, 0x70, 0xc9, 0x00}, jump = {0x74, 0x00};
    for (const Bytes& code : {shuffle, broadcast, subtract})
        EXPECT_FALSE(offset_place(code, 0, false).refusal.empty()) << int{code[2]};
    for (const Bytes& code : {store, old_shuffle, jump})
        EXPECT_TRUE(offset_place(code, 0, false).refusal.empty()) << int{code[2 % code.size()]};
}

TEST(CallTargets, ACallThatTargetsTheFirstByteOfTheFunctionIsRecursion)
{
    const std::vector<uint8_t> itself = {0x53, 0xe8, 0xfa, 0xff, 0xff, 0xff, 0x5b, 0xc3};
    const std::vector<uint8_t> another = {0x53, 0xe8, 0xf9, 0xff, 0xff, 0xff, 0x5b, 0xc3};
    EXPECT_TRUE(machine::native().may_call_itself(itself));
    EXPECT_FALSE(machine::native().may_call_itself(another));
    EXPECT_FALSE(machine::native().may_call_itself(std::span(itself).first(5)));
}

} // namespace
} // namespace dt::probes
