// Declares the parts of the description of x86-64, which machine.cpp in this folder combines.
#pragma once

#include "machine/accesses.hpp"
#include "machine/conventions.hpp"
#include "machine/machine.hpp"
#include "machine/paging.hpp"

namespace dt::machine::x86_64 {

extern const Machine kMachine;
inline constexpr Conventions kWays{.new_threads_return = true, .result_address = std::nullopt};
extern const Paging kPaging;

Code read_code(std::span<const uint8_t> function, bool is_narrow);
std::vector<InstructionText> disassemble(std::span<const uint8_t> code, uint64_t address);
Choices choices_in(std::span<const uint8_t> code, uint64_t at);
bool may_call_itself(std::span<const uint8_t> function);
bool may_make(std::span<const uint8_t> function, int32_t number);
std::optional<NoteOperand> read_operand(std::string_view text);

bool is_call_relocation(uint32_t type);
/// Distance in bytes from a probe's address to the relocated field of the call. If the call has six bytes, the byte
/// that precedes the probe's address becomes a no-op too.
inline constexpr uint64_t kSiteBeforeTarget = 1;
bool replace_call(std::span<uint8_t> code, uint64_t target);
inline constexpr uint8_t kIdleFunction[] = {0x90, 0xc3};
inline constexpr uint8_t kQuestionFunction[] = {0x90,                                     // nop
                                                0x66, 0x83, 0x3d, 0,    0,    0,    0, 0, // cmpw $0, counter(%rip)
                                                0x74, 0x06,                               // je to the return
                                                0xc7, 0x07, 0x01, 0x00, 0x00, 0x00,       // movl $1, (%rdi)
                                                0xc3};                                    // ret
bool is_replaced_call(std::span<const uint8_t> code, uint64_t target);

std::span<const SyscallEntry> syscalls();
std::span<const NarrowSyscall> compat_syscalls();
std::optional<RedZoneTrial> red_zone_trial();
std::vector<Access> read_accesses(std::span<const uint8_t> code);

} // namespace dt::machine::x86_64
