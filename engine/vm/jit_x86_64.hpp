// Compiler for x86-64: one BPF instruction becomes one machine instruction where possible.
//
// R0-R9 live in rax rdi rsi rdx rcx r8 rbx r13 r14 r15, so that arguments match the host's calling convention and R6-R9
// survive calls. R10 is rbp and points into a Frame of vm_state.hpp. r12 points to the VmState, r9 is the remaining
// budget, r10 and r11 are free. Rarely executed code (failing checks, slow checks) is placed after the function.
#pragma once

#include <functional>

#include "engine/program/vm_state.hpp"
#include "engine/vm/jit.hpp"
#include "engine/vm/survey.hpp"
#include "engine/vm/x86_encoder.hpp"

namespace dt::vm {

class X86Compiler {
public:
    X86Compiler(const Image& image, Proof& proof, const CompileContext& around);
    Result<std::unique_ptr<CompiledCode>> run();

private:
    void routines();
    void enter_routine();
    void access_routine();
    void refuse_routine();
    void budget_routine();
    void clear_routine();
    void call_support(const void* function);

    void function(FunctionProof& proof);
    void variant(FunctionProof& proof, const Survey& survey, x86::Label label, bool direct);
    void prologue();
    void epilogue();
    void clear_marks();
    void block(const Block& block, uint64_t follower);
    void count(const Block& block);
    bool instruction(const bpf_insn& insn, uint32_t pc, const Step& step, uint64_t follower);
    void refuse(uint32_t pc, uint16_t live);
    void go_to(uint32_t pc, uint64_t follower);
    x86::Label block_label(uint32_t pc);
    x86::Label function_label(uint32_t first);

    void arithmetic(const bpf_insn& insn);
    void arithmetic_immediate(const bpf_insn& insn, x86::Reg to, bool wide);
    void move_extended(const bpf_insn& insn, x86::Reg to, bool wide);
    void shift(uint8_t op, x86::Reg to, x86::Reg count, bool wide);
    void divide(const bpf_insn& insn, x86::Reg to, bool wide);
    bool divide_by_power(const bpf_insn& insn, x86::Reg to, bool wide);
    void byte_swap(const bpf_insn& insn, x86::Reg to);
    void load_immediate(const bpf_insn& insn, uint32_t pc);

    x86::Address checked(const bpf_insn& insn, uint32_t pc, const Step& step, x86::Reg base, bool write);
    void slow_access(x86::Label from, x86::Label back, uint32_t pc);
    void check_written(const Step& step, const bpf_insn& insn, uint32_t pc);
    void mark_written(const Step& step, uint32_t width);
    void load(const bpf_insn& insn, uint32_t pc, const Step& step);
    void store(const bpf_insn& insn, uint32_t pc, const Step& step);
    void atomic(const bpf_insn& insn, uint32_t pc, const Step& step);
    void fetch_and_combine(x86::Alu op, x86::Address at, x86::Reg source, uint32_t width);

    void jump(const bpf_insn& insn, const Step& step, uint64_t follower);
    void compare(const bpf_insn& insn);
    void choose(const bpf_insn& insn, const Choice& choice);
    void call(const Step& step);
    void call_helper(const bpf_insn& insn, uint32_t pc);

    const Image& image_;
    Proof& proof_;
    const CompileContext& context_;
    x86::Encoder out_;
    x86::Label enter_, access_, refuse_, budget_, clear_;
    std::map<uint32_t, x86::Label> functions_;
    struct Direct {
        x86::Label label;
        uint32_t most;
    };
    std::map<uint32_t, Direct> direct_functions_;

    // State of the function being compiled.
    FunctionProof* current_ = nullptr;
    bool direct_ = false; ///< whether this is the variant that the host calls directly, without VmState and budget
    /// Jumps that only select one of two constants, to compile as conditional moves; empty in code that counts
    /// instructions.
    std::map<uint32_t, Choice> choices_;
    std::map<uint32_t, x86::Label> blocks_;
    std::vector<x86::Reg> saved_;
    x86::Label failed_ = 0;
    std::vector<std::function<void()>> cold_code_; ///< generators of rarely executed code
};

// Register assignment of the compiler for x86-64.

/// machine registers of R0 to R10
inline constexpr x86::Reg kRegisters[] = {x86::rax, x86::rdi, x86::rsi, x86::rdx, x86::rcx, x86::r8,
                                          x86::rbx, x86::r13, x86::r14, x86::r15, x86::rbp};
inline constexpr x86::Reg kFrame = x86::rbp, kMachine = x86::r12, kBudget = x86::r9;

inline constexpr x86::Address in_vm_state(std::size_t offset)
{
    return {kMachine, static_cast<int32_t>(offset)};
}
inline constexpr x86::Address register_slot(std::size_t number)
{
    return in_vm_state(offsetof(VmState, registers) + number * 8);
}
inline constexpr x86::Address argument_slot(std::size_t number)
{
    return in_vm_state(offsetof(VmState, arguments) + number * 8);
}
inline constexpr x86::Address kRemaining = in_vm_state(offsetof(VmState, remaining)),
                              kDepth = in_vm_state(offsetof(VmState, depth)),
                              kFailed = in_vm_state(offsetof(VmState, failed));

/// Returns the address of a member of the frame whose stack ends at R10.
inline constexpr x86::Address in_frame(std::size_t offset)
{
    return {kFrame, static_cast<int32_t>(offset) - static_cast<int32_t>(offsetof(Frame, stack) + kStackSize)};
}

} // namespace dt::vm
