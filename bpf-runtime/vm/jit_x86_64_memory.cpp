// Compiles loads and stores: directly if they are proven, otherwise after a comparison with the last region or a call
// of the interpreter's check.
#include "bpf-runtime/vm/instruction.hpp"
#include "bpf-runtime/vm/jit_x86_64.hpp"
#include "bpf-runtime/vm/jit_x86_64_registers.hpp"

namespace dt::vm {

using namespace x86;

/// Generates the slow check: r11 becomes the host address and execution continues at `back`, or the run fails.
void X86Compiler::slow_access(Label from, Label back, uint32_t pc)
{
    later_.push_back([=, this] {
        out_.bind(from);
        out_.move(r10, pc);
        out_.call(access_);
        out_.test(r11, r11);
        out_.jump(Condition::NotEqual, back);
        out_.jump(failed_);
    });
}

/// Returns the operand of an access after generating its checks.
Address X86Compiler::checked(const bpf_insn& insn, uint32_t pc, const Step& step, Reg base, bool write)
{
    if (step.proven)
        return {base, insn.off};
    const Label slow = out_.label(), back = out_.label();
    out_.address(r11, {base, insn.off});
    if (!is_atomic(insn)) {
        out_.move(r10, r11);
        out_.alu(Alu::Sub, r10, in_machine(write ? offsetof(Machine, store_base) : offsetof(Machine, load_base)));
        out_.alu(Alu::Cmp, r10, in_machine(write ? offsetof(Machine, store_room) : offsetof(Machine, load_room)));
        out_.jump(Condition::AboveEqual, slow);
    } else {
        out_.jump(slow);
    }
    out_.bind(back);
    slow_access(slow, back, pc);
    return {r11, 0};
}

/// Checks a load of stack bytes that only some paths have written.
void X86Compiler::check_written(const Step& step, const bpf_insn& insn, uint32_t pc)
{
    const Address marks = in_frame(offsetof(Frame, written) + step.stack_byte);
    const uint32_t width = width_of(insn.code);
    const Label slow = out_.label(), back = out_.label();
    out_.load(r11, marks, width);
    out_.alu(Alu::Cmp, r11, width == 1 ? 0xff : width == 2 ? 0xffff : -1, width == 8);
    out_.jump(Condition::NotEqual, slow);
    out_.bind(back);
    const Address at{kRegisters[insn.src_reg], insn.off};
    const Label address = out_.label();
    later_.push_back([=, this] {
        out_.bind(slow);
        out_.address(r11, at);
        out_.jump(address);
    });
    slow_access(address, back, pc);
}

void X86Compiler::mark_written(const Step& step, uint32_t width)
{
    if (current_->tracked && !step.written)
        out_.store(in_frame(offsetof(Frame, written) + step.stack_byte), -1, width);
}

void X86Compiler::load(const bpf_insn& insn, uint32_t pc, const Step& step)
{
    const Address from = checked(insn, pc, step, kRegisters[insn.src_reg], false);
    if (step.on_stack && !step.written)
        check_written(step, insn, pc);
    out_.load(kRegisters[insn.dst_reg], from, width_of(insn.code), BPF_MODE(insn.code) == kModeMemSx);
}

void X86Compiler::store(const bpf_insn& insn, uint32_t pc, const Step& step)
{
    if (is_atomic(insn))
        return atomic(insn, pc, step);
    const uint32_t width = width_of(insn.code);
    const Address to = checked(insn, pc, step, kRegisters[insn.dst_reg], true);
    if (BPF_CLASS(insn.code) == BPF_STX)
        out_.store(to, kRegisters[insn.src_reg], width);
    else
        out_.store(to, insn.imm, width);
    if (step.on_stack)
        mark_written(step, width);
}

void X86Compiler::atomic(const bpf_insn& insn, uint32_t pc, const Step& step)
{
    const uint32_t width = width_of(insn.code);
    const Reg source = kRegisters[insn.src_reg];
    const Address at = checked(insn, pc, step, kRegisters[insn.dst_reg], true);
    if (insn.imm == BPF_XCHG)
        return out_.exchange(at, source, width);
    if (insn.imm == BPF_CMPXCHG) {
        out_.compare_exchange(at, source, width);
        if (width == 4)
            out_.move(rax, rax, false);
        return;
    }
    const int32_t op = insn.imm & ~BPF_FETCH;
    const Alu alu = op == BPF_ADD ? Alu::Add : op == BPF_OR ? Alu::Or : op == BPF_AND ? Alu::And : Alu::Xor;
    if (!(insn.imm & BPF_FETCH))
        return out_.locked_alu(alu, at, source, width);
    if (alu == Alu::Add)
        return out_.exchange_add(at, source, width);
    fetch_and_combine(alu, at, source, width);
}

/// Emulates an operation that x86 lacks: retries until no other thread interferes.
void X86Compiler::fetch_and_combine(Alu op, Address at, Reg source, uint32_t width)
{
    const Label again = out_.label();
    out_.address(r11, at);
    out_.store(argument_slot(0), source, 8);
    out_.store(argument_slot(1), rax, 8);
    out_.load(rax, {r11, 0}, width);
    out_.bind(again);
    out_.move(r10, rax);
    out_.alu(op, r10, argument_slot(0));
    out_.compare_exchange({r11, 0}, r10, width);
    out_.jump(Condition::NotEqual, again);
    out_.move(r10, rax);
    out_.load(rax, argument_slot(1), 8);
    out_.move(source, r10, width == 8);
}

} // namespace dt::vm
