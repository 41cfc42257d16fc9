// Compiles arithmetic, loads and stores of single instructions.
#include <bit>
#include <optional>

#include "engine/program/operators.hpp"
#include "engine/vm/jit_x86_64.hpp"

namespace dt::vm {

using namespace x86;

namespace {

/// Returns the x86 operation that does the same as the BPF operator, if there is one.
std::optional<Alu> same(uint8_t op)
{
    switch (op) {
    case BPF_ADD:
        return Alu::Add;
    case BPF_SUB:
        return Alu::Sub;
    case BPF_OR:
        return Alu::Or;
    case BPF_AND:
        return Alu::And;
    case BPF_XOR:
        return Alu::Xor;
    default:
        return std::nullopt;
    }
}

Shift shift_of(uint8_t op)
{
    return op == BPF_LSH ? Shift::Shl : op == BPF_RSH ? Shift::Shr : Shift::Sar;
}

uint64_t sign_extended(int32_t value)
{
    return static_cast<uint64_t>(static_cast<int64_t>(value));
}

} // namespace

void X86Compiler::arithmetic(const bpf_insn& insn)
{
    const uint8_t op = BPF_OP(insn.code);
    const bool wide = BPF_CLASS(insn.code) == BPF_ALU64;
    const Reg to = kRegisters[insn.dst_reg];
    if (op == BPF_END)
        return byte_swap(insn, to);
    if (op == BPF_NEG)
        return out_.unary(Unary::Neg, to, wide);
    if (op == BPF_DIV || op == BPF_MOD)
        return divide(insn, to, wide);
    if (BPF_SRC(insn.code) == BPF_K)
        return arithmetic_immediate(insn, to, wide);
    const Reg from = kRegisters[insn.src_reg];
    if (op == BPF_MOV)
        return move_extended(insn, to, wide);
    if (is_shift(op))
        return shift(op, to, from, wide);
    if (op == BPF_MUL)
        return out_.multiply(to, from, wide);
    out_.alu(*same(op), to, from, wide);
}

void X86Compiler::arithmetic_immediate(const bpf_insn& insn, Reg to, bool wide)
{
    const uint8_t op = BPF_OP(insn.code);
    if (op == BPF_MOV) {
        const uint64_t value = sign_extended(insn.imm);
        return out_.move(to, wide ? operator64(op, insn.off)(0, value) : operator32(op, insn.off)(0, value));
    }
    if (is_shift(op))
        return out_.shift(shift_of(op), to, static_cast<uint8_t>(insn.imm), wide);
    if (op == BPF_MUL)
        return out_.multiply(to, insn.imm, wide);
    out_.alu(*same(op), to, insn.imm, wide);
}

void X86Compiler::move_extended(const bpf_insn& insn, Reg to, bool wide)
{
    const Reg from = kRegisters[insn.src_reg];
    if (insn.off)
        out_.extend(to, from, static_cast<uint32_t>(insn.off), true, wide);
    else if (!wide || to != from)
        out_.move(to, from, wide);
}

/// x86 takes the shift count in cl, the low byte of rcx, which holds R4.
void X86Compiler::shift(uint8_t op, Reg to, Reg count, bool wide)
{
    if (count == rcx && to != rcx)
        return out_.shift_by_cl(shift_of(op), to, wide);
    out_.move(r11, rcx);
    if (count != rcx)
        out_.move(rcx, count);
    out_.shift_by_cl(shift_of(op), to == rcx ? r11 : to, wide);
    out_.move(rcx, r11);
}

/// x86 divides rdx:rax, which hold R3 and R0.
void X86Compiler::divide(const bpf_insn& insn, Reg to, bool wide)
{
    if (divide_by_power(insn, to, wide))
        return;
    const bool quotient = BPF_OP(insn.code) == BPF_DIV, with_sign = insn.off != 0;
    const Label done = out_.label(), zero = out_.label(), minus = out_.label();
    if (BPF_SRC(insn.code) == BPF_K)
        out_.move(r11, sign_extended(insn.imm));
    else
        out_.move(r11, kRegisters[insn.src_reg]);
    out_.test(r11, r11, wide);
    out_.jump(Condition::Equal, zero);
    if (with_sign) { // x86 raises an exception for the lowest number divided by -1, because the quotient does not fit
        out_.alu(Alu::Cmp, r11, -1, wide);
        out_.jump(Condition::Equal, minus);
    }
    out_.move(r10, rax);
    out_.push(rdx);
    if (to != rax)
        out_.move(rax, to);
    if (with_sign)
        out_.sign_to_rdx(wide);
    else
        out_.alu(Alu::Xor, rdx, rdx, false);
    out_.unary(with_sign ? Unary::Idiv : Unary::Div, r11, wide);
    out_.move(r11, quotient ? rax : rdx);
    out_.move(rax, r10);
    out_.pop(rdx);
    out_.move(to, r11, wide);
    out_.bind(done);
    cold_code_.push_back([=, this] {
        out_.bind(minus);
        if (quotient)
            out_.unary(Unary::Neg, to, wide);
        else
            out_.alu(Alu::Xor, to, to, false);
        out_.jump(done);
        out_.bind(zero);
        if (quotient)
            out_.alu(Alu::Xor, to, to, false);
        else
            out_.move(to, to, wide);
        out_.jump(done);
    });
}

bool X86Compiler::divide_by_power(const bpf_insn& insn, Reg to, bool wide)
{
    if (BPF_SRC(insn.code) != BPF_K || insn.off || insn.imm <= 0 ||
        !std::has_single_bit(static_cast<uint32_t>(insn.imm)))
        return false;
    if (BPF_OP(insn.code) == BPF_DIV)
        out_.shift(Shift::Shr, to, static_cast<uint8_t>(std::countr_zero(static_cast<uint32_t>(insn.imm))), wide);
    else
        out_.alu(Alu::And, to, insn.imm - 1, wide);
    return true;
}

void X86Compiler::byte_swap(const bpf_insn& insn, Reg to)
{
    const bool swap = BPF_CLASS(insn.code) == BPF_ALU64 || BPF_SRC(insn.code) == BPF_TO_BE;
    if (insn.imm == 64) {
        if (swap)
            out_.swap_bytes(to, true);
        return;
    }
    if (swap && insn.imm == 32)
        return out_.swap_bytes(to, false);
    if (swap)
        out_.rotate16(to, 8);
    out_.extend(to, to, static_cast<uint32_t>(insn.imm), false, false);
}

void X86Compiler::load_immediate(const bpf_insn& insn, uint32_t pc)
{
    const Reg to = kRegisters[insn.dst_reg];
    const int32_t high = image_.code[pc + 1].imm;
    const auto index = static_cast<uint32_t>(insn.imm);
    switch (insn.src_reg) {
    case BPF_PSEUDO_MAP_FD:
        return out_.move(to, kMapReference | index);
    case BPF_PSEUDO_FUNC:
        return out_.move(to, kFunctionReference | index);
    case BPF_PSEUDO_MAP_VALUE:
        return out_.move(to, context_.sections[index] + sign_extended(high));
    default:
        return out_.move(to, index | static_cast<uint64_t>(static_cast<uint32_t>(high)) << 32);
    }
}

// Compiles loads and stores. An access that is proven safe becomes one instruction. The address of any other access is
// first compared with the region of the last checked access; if it is outside, the interpreter's check is called.

/// Generates a call of the interpreter's check of an access. r11 becomes the host address and execution continues at
/// `back`, or the run fails.
void X86Compiler::slow_access(Label from, Label back, uint32_t pc)
{
    cold_code_.push_back([=, this] {
        out_.bind(from);
        out_.move(r10, pc);
        out_.call(access_);
        out_.test(r11, r11);
        out_.jump(Condition::NotEqual, back);
        out_.jump(failed_);
    });
}

/// Generates the checks of an access, and returns its memory operand.
Address X86Compiler::checked(const bpf_insn& insn, uint32_t pc, const Step& step, Reg base, bool write)
{
    if (step.proven)
        return {base, insn.off};
    const Label slow = out_.label(), back = out_.label();
    out_.address(r11, {base, insn.off});
    if (!is_atomic(insn)) {
        out_.move(r10, r11);
        out_.alu(Alu::Sub, r10, in_vm_state(write ? offsetof(VmState, store_base) : offsetof(VmState, load_base)));
        out_.alu(Alu::Cmp, r10, in_vm_state(write ? offsetof(VmState, store_room) : offsetof(VmState, load_room)));
        out_.jump(Condition::AboveEqual, slow);
    } else {
        out_.jump(slow);
    }
    out_.bind(back);
    slow_access(slow, back, pc);
    return {r11, 0};
}

/// Generates the check of a load of stack bytes that only some paths have written.
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
    cold_code_.push_back([=, this] {
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

/// Emulates an atomic operation that x86 lacks: repeats it until no other thread has interfered.
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
