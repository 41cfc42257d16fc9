// Tests the support for 64-bit Arm, on any machine. The numbers are instructions as an assembler encodes the text next
// to them.
#include <elf.h>

#include <gmock/gmock.h>

#include <set>

#include "libdtrace/usdt/notes.hpp"
#include "machine/arm64/arm64.hpp"
#include "machine/machine.hpp"
#include "probes/user/uprobe_placement.hpp"

namespace dt::machine::arm64 {
namespace {

using Kind = Location::Kind;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr uint32_t kBti = 0xd503245f, kPaciasp = 0xd503233f, kAutiasp = 0xd50323bf, kPushFrame = 0xa9be7bfd,
                   kCbz = 0xb4000040, // cbz x0, .+8
    kRet = 0xd65f03c0, kMovX9X0 = 0xaa0003e9, kMovX1X0 = 0xaa0003e1, kCompare = 0xeb01001f, kNop = 0xd503201f;

std::vector<uint8_t> bytes_of(std::initializer_list<uint32_t> instructions)
{
    std::vector<uint8_t> bytes;
    for (const uint32_t each : instructions)
        for (int shift = 0; shift < 32; shift += 8)
            bytes.push_back(static_cast<uint8_t>(each >> shift));
    return bytes;
}

probes::FunctionCode code_of(std::initializer_list<uint32_t> instructions)
{
    return {kMachine, bytes_of(instructions)};
}

std::string refusal_of(uint32_t instruction)
{
    return std::string(code_of({instruction}).place_of(0, false).refusal);
}

usdt::NoteArgument operand(std::string_view text)
{
    const auto found = usdt::read_operands(text, kMachine);
    return found.size() == 1 ? found[0] : usdt::NoteArgument{};
}

TEST(Arm64Machine, IsFoundByItsNames)
{
    EXPECT_EQ(named("aarch64"), &kMachine);
    EXPECT_EQ(named("arm64"), &kMachine);
    EXPECT_EQ(named("x86_64")->name, "x86_64");
    EXPECT_EQ(named("vax"), nullptr);
}

TEST(Machines, SystemCallsAreSorted)
{
    for (const Machine* machine : all()) {
        int64_t last = -1;
        for (const SyscallEntry& call : machine->syscalls.table()) {
            EXPECT_GT(int64_t{call.number}, last) << machine->name << " " << call.name;
            last = call.number;
        }
        EXPECT_EQ(named(machine->folder), machine);
        for (const Word word : machine->syscalls.arguments)
            EXPECT_LT(word, machine->saved.bytes / 8) << machine->name;
    }
    EXPECT_EQ(std::size(kTargets), all().size() + 1);
}

TEST(Arm64Syscalls, NumbersAreSortedAndNamesAreUnique)
{
    std::set<std::string_view> names;
    uint32_t last = 0;
    for (const SyscallEntry& call : syscalls()) {
        EXPECT_TRUE(call.number > last || call.number == 0) << call.name;
        EXPECT_TRUE(names.insert(call.name).second) << call.name;
        last = call.number;
    }
    for (const NarrowSyscall& call : compat_syscalls())
        EXPECT_LT(call.number, kSameSyscalls) << call.name;
    EXPECT_EQ(kMachine.syscalls.find("openat")->number, 56u);
    EXPECT_EQ(kMachine.syscalls.find("execve")->number, 221u);
    // On Arm, the parameter `tls` precedes this parameter.
    EXPECT_EQ(kMachine.syscalls.find("clone")->parameters[3], "unsigned long");
}

TEST(Arm64Syscalls, MissingSystemCallsNameTheirReplacement)
{
    for (const SyscallName& each : stand_ins()) {
        EXPECT_EQ(kMachine.syscalls.find(each.name), nullptr) << each.name;
        EXPECT_NE(kMachine.syscalls.find(each.call), nullptr) << each.call;
        EXPECT_NE(named("x86_64")->syscalls.find(each.name), nullptr) << each.name;
    }
    EXPECT_EQ(kMachine.syscalls.stand_in("stat"), "newfstatat");
    EXPECT_EQ(kMachine.syscalls.stand_in("openat"), "");
    const std::set<std::string_view> of_x86 = {"modify_ldt", "arch_prctl", "iopl",   "ioperm",   "sysfs",
                                               "uselib",     "_sysctl",    "uprobe", "uretprobe"};
    for (const SyscallEntry& call : named("x86_64")->syscalls.table()) {
        const bool is_here = kMachine.syscalls.find(kMachine.syscalls.canonical(call.name)) != nullptr;
        EXPECT_TRUE(is_here || of_x86.contains(call.name) || !kMachine.syscalls.stand_in(call.name).empty())
            << call.name;
    }
    EXPECT_EQ(kMachine.syscalls.canonical("personality"), "arm64_personality");
    EXPECT_EQ(kMachine.syscalls.canonical("fstat"), "newfstat");
}

TEST(Arm64EntryProbe, IsPlacedAfterALandingPadAtAnEmulatedInstruction)
{
    EXPECT_EQ(code_of({kBti, kCbz, kRet, kRet}).entry_place(), 4u);
    EXPECT_EQ(code_of({kBti, kMovX9X0, kCompare, kCbz, kRet, kRet}).entry_place(), 12u);
    // The probe stays at the function's start and is not placed after the mov, because mov changes an argument.
    EXPECT_EQ(code_of({kBti, kMovX1X0, kCbz, kRet, kRet}).entry_place(), 0u);
    // The probe is placed neither after paciasp, which signs the return address, nor after a push.
    EXPECT_EQ(code_of({kBti, kPaciasp, kCbz, kRet, kRet}).entry_place(), 0u);
    EXPECT_EQ(code_of({kBti, kPushFrame, kCbz, kRet, kRet}).entry_place(), 0u);
}

TEST(Arm64EntryProbe, IsPlacedAfterTheStackCheckOfGo)
{
    constexpr uint32_t kLoadLimit = 0xf9400b90, kBelow = 0x54000069; // ldr x16, [x28, 16]; b.ls .+12
    EXPECT_EQ(code_of({kLoadLimit, 0xeb3063ff, kBelow, kPushFrame, kRet, kRet}).go_entry_place(), 12u);
    EXPECT_EQ(code_of({kLoadLimit, kNop, 0xeb10023f, kBelow, kPushFrame, kRet, kRet}).go_entry_place(), 16u);
    EXPECT_EQ(code_of({kNop, 0xeb3063ff, kBelow, kPushFrame, kRet, kRet}).go_entry_place(), 0u);
    // Zeros at the end of a function are padding.
    EXPECT_EQ(code_of({kLoadLimit, 0xeb3063ff, kBelow, kPushFrame, kRet, kRet, 0, 0}).go_entry_place(), 12u);
    EXPECT_EQ(code_of({kLoadLimit, 0xeb3063ff, kBelow, kPushFrame, kRet, kRet, 0, kRet}).go_entry_place(), 0u);
}

TEST(Arm64Code, ReturnInstructionsAndTailCallsAreFound)
{
    constexpr uint32_t kAddToTable = 0x8b208820, kBranchX0 = 0xd61f0000, kReturnSigned = 0xd65f0bff;
    EXPECT_THAT(code_of({kCbz, kRet, kReturnSigned}).returns(), ElementsAre(4, 8));
    EXPECT_THAT(code_of({kNop, kBranchX0}).returns(), ElementsAre(4)); // this branch is an indirect tail call
    // this branch is a switch statement's jump, not a return
    EXPECT_TRUE(code_of({kAddToTable, kBranchX0}).returns().empty());
    const auto code = code_of({0x14000400, 0x54008000, 0x97fffffc, 0x17ffffff}); // b, b.eq, bl, b .-4
    ASSERT_EQ(code.exits().size(), 2u);
    EXPECT_EQ(code.exits()[0].target, 0x1000);
    EXPECT_TRUE(code.exits()[1].is_conditional);
    EXPECT_FALSE(code_of({kNop, 0, kRet}).is_whole()); // udf: no valid instruction
    EXPECT_TRUE(kMachine.may_call_itself(bytes_of({kNop, 0x97ffffff})));
    EXPECT_FALSE(kMachine.may_call_itself(bytes_of({kNop, 0x97fffffe})));
}

TEST(Arm64Code, TheErrorForAnInstructionThatCannotBeProbedStatesTheReason)
{
    EXPECT_THAT(refusal_of(0x885f7c20), HasSubstr("exclusive"));                   // ldxr w0, [x1]
    EXPECT_THAT(refusal_of(0x48207c82), HasSubstr("exclusive"));                   // casp
    EXPECT_THAT(refusal_of(0x58000040), HasSubstr("relative to its own address")); // ldr x0, .+8
    EXPECT_THAT(refusal_of(0x5c000040), HasSubstr("relative to its own address")); // ldr d0, .+8
    EXPECT_THAT(refusal_of(0xd51bd040), HasSubstr("MSR"));                         // msr tpidr_el0, x0
    EXPECT_THAT(refusal_of(0xd4000001), HasSubstr("calls"));                       // svc 0
    EXPECT_THAT(refusal_of(kAutiasp), HasSubstr("AUTIASP"));
    EXPECT_THAT(refusal_of(0xd65f0bff), HasSubstr("authenticates")); // retaa
    for (const uint32_t taken : {kBti, kPaciasp, kNop, kRet, kCbz, kPushFrame, 0xd53bd040u, 0xc8dffc20u})
        EXPECT_EQ(refusal_of(taken), "") << std::hex << taken;
    EXPECT_TRUE(code_of({kNop, kRet}).place_of(2, false).is_inside_another);
}

TEST(Arm64Code, NoProbeIsPlacedInsideAnExclusiveSequence)
{
    // ldaxr w27, [x4]; cmp w27, w2; b.ne .+12; stlxr w27, w3, [x4]; cbnz x27, .-16; ret
    const auto loop = code_of({0x885ffc9b, 0x6b02037f, 0x54000061, 0x881bfc83, 0xb5ffff9b, kRet});
    for (const uint32_t between : {4u, 8u})
        EXPECT_THAT(loop.place_of(between, false).refusal, HasSubstr("between an exclusive load")) << between;
    for (const uint32_t behind : {16u, 20u})
        EXPECT_EQ(loop.place_of(behind, false).refusal, "") << behind;
    constexpr uint32_t kClearExclusive = 0xd5033f5f, kSwapPair = 0x48607c82; // clrex; caspa
    EXPECT_EQ(code_of({0x885ffc9b, kClearExclusive, kPushFrame, kRet}).place_of(8, false).refusal, "");
    EXPECT_EQ(code_of({kSwapPair, kPushFrame, kRet}).place_of(4, false).refusal, "");
}

TEST(Arm64Operand, OperandsInRegistersMemoryAndConstantsAreRead)
{
    EXPECT_EQ(operand("8@x22").where, (Location{.kind = Kind::Register, .index = 22}));
    EXPECT_EQ(operand("-4@w0").where, (Location{.kind = Kind::Register, .index = 0, .size = 4, .is_signed = true}));
    EXPECT_EQ(operand("2@[x22, 20]").where, (Location{.kind = Kind::UserMemory, .index = 22, .offset = 20, .size = 2}));
    EXPECT_EQ(operand("8@[sp, 128]").where, (Location{.kind = Kind::UserMemory, .index = Sp, .offset = 128}));
    EXPECT_EQ(operand("8@[x1, x2, lsl 3]").where,
              (Location{.kind = Kind::UserMemory, .index = 1, .scale = 8, .scaled = 2}));
    EXPECT_EQ(operand("8@[x1, x2, lsl #3]").where.scale, 8); // clang writes the scale with #
    EXPECT_EQ(operand("8@[x29, #-16]").where.offset, -16);
    EXPECT_EQ(operand("-4@-1").where, (Location{.kind = Kind::Constant, .offset = -1, .size = 4, .is_signed = true}));
    EXPECT_EQ(operand("8@010").where.offset, 8); // an octal number, because of the leading 0
    EXPECT_EQ(operand("8@0").where.offset, 0);
    EXPECT_EQ(operand("4@wzr").where, (Location{.kind = Kind::Constant, .offset = 0, .size = 4}));
    EXPECT_EQ(usdt::read_operands("4@[x0, x1] -4@5", kMachine).size(), 2u);
}

TEST(Arm64Operand, AHalfRegisterCanBeAnIndex)
{
    const Location half{.kind = Kind::Register, .index = 2, .size = 4, .is_signed = true};
    const Location expected{.kind = Kind::UserMemory, .index = 1, .size = 4, .scale = 4, .of = {half}};
    EXPECT_EQ(operand("4@[x1, w2, sxtw 2]").where, expected);
    EXPECT_EQ(operand("4@[x1, w2, sxtw #2]").where, expected);
    EXPECT_EQ(operand("8@[x1, w2, sxtw]").where.scale, 1);
    EXPECT_FALSE(operand("8@[x1, w2, uxtw 3]").where.of.at(0).is_signed);
}

TEST(Arm64Operand, ASymbolIsAddressedByItsPageAndOffset)
{
    for (const char* text : {"4@[x0, #:lo12:shop+8]", "4@[x19, :lo12:shop+8]"}) {
        const usdt::NoteArgument found = operand(text);
        EXPECT_EQ(found.symbol, "shop") << text;
        EXPECT_EQ(found.where,
                  (Location{.kind = Kind::UserMemory, .index = Location::kNoRegister, .offset = 8, .size = 4}));
    }
    EXPECT_EQ(operand("4@[x0, #:lo12:shop]").where.offset, 0);
}

TEST(Arm64Operand, EveryUnsupportedOperandIsRefusedWithAReason)
{
    for (const char* text : {"8@x31", "8@[w1]", "8@[x1", "8@[x1, w2]", "8@[x1, w2, lsl 2]", "8@[x1, x2, sxtw 2]",
                             "8@[x1, w2, sxtw 4]", "8@[x1, x2, lsl 4]", "8@[x1, x2, lsl -1]", "8@[x0, #:lo12:]",
                             "8@[x0, :lo12:a+b]", "8@[x0, :hi12:a]", "8f@d0", "8@", "8@[]"})
        EXPECT_FALSE(operand(text).unreadable.empty()) << text;
    EXPECT_THAT(operand("8f@d0").unreadable, HasSubstr("in d0,"));
}

TEST(Arm64IfuncChoices, AreFoundAsSumsOfPageAddressAndOffset)
{
    // adrp x9, .; add x0, x9, 288; ldr x1, [x9, 16].
    const auto code = bytes_of({0x90000009, 0x91048120, 0xf9400921, kRet});
    const Choices found = choices_in(code, 0x1234);
    EXPECT_THAT(found.addresses, ElementsAre(0x1120u));
    EXPECT_THAT(found.words, ElementsAre(0x1010u));
}

TEST(Arm64IfuncChoices, FunctionsThatTheResolverCallsAreFound)
{
    const auto code = bytes_of({0x94000400, 0x17fffc00, 0x14000001, kRet}); // bl .+0x1000; b .-0x1000; b .+4
    EXPECT_THAT(choices_in(code, 0x2000).called, ElementsAre(0x3000u, 0x1004u));
}

TEST(Arm64ProbeCalls, AreReplacedByANopOrByAReturn)
{
    auto code = bytes_of({0x94000000, 0x14000000, kNop});
    EXPECT_TRUE(replace_call(code, 0));
    EXPECT_TRUE(replace_call(code, 4));
    EXPECT_FALSE(replace_call(code, 8));
    EXPECT_FALSE(replace_call(code, 10));
    EXPECT_EQ(code, bytes_of({kNop, kRet, kNop}));
    EXPECT_TRUE(is_replaced_call(code, 4));
    EXPECT_TRUE(is_call_relocation(R_AARCH64_CALL26));
}

TEST(Arm64Code, AnErrorNumberMayBeLoadedAsItsComplement)
{
    const auto code = bytes_of({kNop, 0x12800180, kRet}); // mov w0, #-13
    EXPECT_TRUE(may_make(code, -13));
    EXPECT_TRUE(may_make(bytes_of({0x92800180}), -13)); // mov x0, #-13
    EXPECT_FALSE(may_make(code, -12));
    EXPECT_FALSE(may_make(code, 12));
}

TEST(Arm64Disassembly, TargetsOfJumpsAreNotPartOfTheText)
{
    const auto texts = disassemble(bytes_of({0x94000002, kCbz, kRet, 0}), 0x1000);
    ASSERT_EQ(texts.size(), 4u);
    EXPECT_EQ(texts[0].target, 0x1008u);
    EXPECT_TRUE(texts[0].is_call);
    // without Capstone, the instruction is shown as a number instead of its name
    if (texts[2].text != ".inst 0xd65f03c0") {
        EXPECT_EQ(texts[0].text, "bl");
        EXPECT_EQ(texts[1].text, "cbz x0, #0x100c");
        EXPECT_EQ(texts[2].text, "ret");
    }
    // Versions of Capstone print this instruction differently.
    EXPECT_TRUE(texts[3].text == ".inst 0x00000000" || texts[3].text == "udf #0") << texts[3].text;
}

TEST(Arm64Disassembly, CallsOfARegisterWithAKnownAddressHaveATarget)
{
    // mov x10, #0xffff...98a8; movk x10, #0x80, lsl #16; blr x10; blr x10
    const auto texts = disassemble(bytes_of({0x928ceaea, 0xf2a0100a, 0xd63f0140, 0xd63f0140}), 0x1000);
    ASSERT_EQ(texts.size(), 4u);
    EXPECT_TRUE(texts[2].is_call);
    EXPECT_EQ(texts[2].target, 0xffffffff008098a8u);
    EXPECT_TRUE(texts[3].is_call);
    EXPECT_FALSE(texts[3].target);
}

} // namespace
} // namespace dt::machine::arm64
