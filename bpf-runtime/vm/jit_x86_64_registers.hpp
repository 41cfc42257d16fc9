// Register assignment of the compiler for x86-64.
#pragma once

#include "bpf-runtime/vm/machine.hpp"
#include "bpf-runtime/vm/x86_encoder.hpp"

namespace dt::vm {

/// R0-R10
inline constexpr x86::Reg kRegisters[] = {x86::rax, x86::rdi, x86::rsi, x86::rdx, x86::rcx, x86::r8,
                                          x86::rbx, x86::r13, x86::r14, x86::r15, x86::rbp};
inline constexpr x86::Reg kFrame = x86::rbp, kMachine = x86::r12, kBudget = x86::r9;

inline constexpr x86::Address in_machine(std::size_t offset)
{
    return {kMachine, static_cast<int32_t>(offset)};
}
inline constexpr x86::Address register_slot(std::size_t number)
{
    return in_machine(offsetof(Machine, registers) + number * 8);
}
inline constexpr x86::Address argument_slot(std::size_t number)
{
    return in_machine(offsetof(Machine, arguments) + number * 8);
}
inline constexpr x86::Address kRemaining = in_machine(offsetof(Machine, remaining)),
                              kDepth = in_machine(offsetof(Machine, depth)),
                              kFailed = in_machine(offsetof(Machine, failed));

/// Returns the address of a member of the frame whose stack ends at R10.
inline constexpr x86::Address in_frame(std::size_t offset)
{
    return {kFrame, static_cast<int32_t>(offset) - static_cast<int32_t>(offsetof(Frame, stack) + kStackSize)};
}

} // namespace dt::vm
