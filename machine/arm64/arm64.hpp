// Declares the parts of the description of 64-bit Arm, which machine.cpp in this folder combines.
#pragma once

#include <cstdint>

#include "machine/conventions.hpp"
#include "machine/machine.hpp"

namespace dt::machine::arm64 {

// Words of struct pt_regs (arch/arm64/include/asm/ptrace.h): x0 to x30 come first, at their numbers.

enum PtRegsWord : uint32_t { X0 = 0, X29 = 29, X30 = 30, Sp, Pc, Pstate, OrigX0, SyscallNumber };

/// Size in bytes of the part of struct pt_regs whose layout is equal in all kernels. The members after that part
/// differ.
inline constexpr uint32_t kPtRegsBytes = (SyscallNumber + 1) * 8;

extern const Machine kMachine;
/// 64-bit signal handlers return to the instructions mov x8, #__NR_rt_sigreturn; svc #0.
/// arch/arm64/kernel/vdso/sigreturn.S omits .cfi_signal_frame and similar directives, so unwinders must recognise the
/// instructions.
inline constexpr uint8_t kSignalReturn[] = {0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4};
/// A new thread starts at ret_from_fork (arch/arm64/kernel/entry.S) and does not execute the return of clone(2). x8
/// contains the address of a large result (AAPCS64 6.9).
inline constexpr Conventions kWays{.new_threads_return = false, .result_address = 8, .signal_return = kSignalReturn};

/// An instruction pattern: an instruction matches if its bits in `mask` equal `value`. The Arm Architecture Reference
/// Manual (C4) identifies instructions in this way.
struct Pattern {
    uint32_t mask, value;
    constexpr bool is(uint32_t instruction) const { return (instruction & mask) == value; }
};

/// Size in bytes of every instruction; instructions are aligned to it.
inline constexpr std::size_t kInstruction = 4;
/// Returns the first instruction in `bytes`, which must have at least four bytes.
uint32_t instruction_in(std::span<const uint8_t> bytes);

/// A jump or call whose target is in the instruction.
struct DirectJump {
    int64_t distance = 0; ///< distance in bytes from the instruction to the target
    bool is_call = false;
    bool is_conditional = false;
    bool is_target_alone = false; ///< whether the target is the instruction's only operand
};
std::optional<DirectJump> direct_jump(uint32_t instruction);

Code read_code(std::span<const uint8_t> function, bool is_narrow);
std::vector<InstructionText> disassemble(std::span<const uint8_t> code, uint64_t address);
Choices choices_in(std::span<const uint8_t> code, uint64_t at);
bool may_call_itself(std::span<const uint8_t> function);
bool may_make(std::span<const uint8_t> function, int32_t number);
std::optional<NoteOperand> read_operand(std::string_view text);

bool is_call_relocation(uint32_t type);
bool replace_call(std::span<uint8_t> code, uint64_t target);
inline constexpr uint8_t kIdleFunction[] = {0x1f, 0x20, 0x03, 0xd5, 0xc0, 0x03, 0x5f, 0xd6};
inline constexpr uint8_t kQuestionFunction[] = {0x1f, 0x20, 0x03, 0xd5,  // nop
                                                0x01, 0x00, 0x00, 0x90,  // adrp x1, counter
                                                0x21, 0x00, 0x40, 0x79,  // ldrh w1, [x1, :lo12:counter]
                                                0x61, 0x00, 0x00, 0x34,  // cbz w1, to the return
                                                0x21, 0x00, 0x80, 0x52,  // mov w1, #1
                                                0x01, 0x00, 0x00, 0xb9,  // str w1, [x0]
                                                0xc0, 0x03, 0x5f, 0xd6}; // ret
bool is_replaced_call(std::span<const uint8_t> code, uint64_t target);

std::span<const SyscallEntry> syscalls();
std::span<const NarrowSyscall> compat_syscalls();
std::span<const SyscallName> other_names();
std::span<const SyscallName> stand_ins();

} // namespace dt::machine::arm64
