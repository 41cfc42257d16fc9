// Compiles jumps, and replaces some of them by conditional moves.
//
// In eBPF a truth value is a jump over one constant: "r0 = 1; if r1 > 5 goto +1; r0 = 0". Such jumps are mispredicted
// when events vary, while the processor can select one of two values by its flags. Conditional moves are used where
// both values are constants, so that nothing waits for an unneeded value, and where only this jump leads to its target.
#include "bpf-runtime/vm/instruction.hpp"
#include "bpf-runtime/vm/jit_x86_64.hpp"
#include "bpf-runtime/vm/jit_x86_64_registers.hpp"

namespace dt::vm {

using namespace x86;

namespace {

Condition condition_of(uint8_t op)
{
    switch (op) {
    case BPF_JEQ:
        return Condition::Equal;
    case BPF_JGT:
        return Condition::Above;
    case BPF_JGE:
        return Condition::AboveEqual;
    case BPF_JLT:
        return Condition::Below;
    case BPF_JLE:
        return Condition::BelowEqual;
    case BPF_JSGT:
        return Condition::Greater;
    case BPF_JSGE:
        return Condition::GreaterEqual;
    case BPF_JSLT:
        return Condition::Less;
    case BPF_JSLE:
        return Condition::LessEqual;
    default: // JNE, and JSET after a test instruction
        return Condition::NotEqual;
    }
}

} // namespace

void X86Compiler::jump(const bpf_insn& insn, const Step& step, uint64_t follower)
{
    if (BPF_OP(insn.code) == BPF_JA)
        return go_to(step.target, follower);
    if (const auto chosen = choices_.find(step.next); chosen != choices_.end()) {
        choose(insn, chosen->second);
        return go_to(step.target, follower);
    }
    compare(insn);
    out_.jump(condition_of(BPF_OP(insn.code)), block_label(step.target));
    go_to(step.next, follower);
}

/// Sets the flags for condition_of().
void X86Compiler::compare(const bpf_insn& insn)
{
    const uint8_t op = BPF_OP(insn.code);
    const bool wide = BPF_CLASS(insn.code) == BPF_JMP;
    const Reg left = kRegisters[insn.dst_reg], right = kRegisters[insn.src_reg < 11 ? insn.src_reg : 0];
    if (BPF_SRC(insn.code) == BPF_X) {
        if (op == BPF_JSET)
            out_.test(left, right, wide);
        else
            out_.alu(Alu::Cmp, left, right, wide);
    } else if (op == BPF_JSET) {
        out_.test(left, insn.imm, wide);
    } else if (insn.imm == 0) {
        out_.test(left, left, wide); // sets the same flags as a comparison with 0
    } else {
        out_.alu(Alu::Cmp, left, insn.imm, wide);
    }
}

/// Selects one of two constants; the register already holds `jumped`.
void X86Compiler::choose(const bpf_insn& insn, const Choice& choice)
{
    const Condition jumps = condition_of(BPF_OP(insn.code));
    const Reg to = kRegisters[choice.number];
    if (choice.jumped <= 1 && choice.fell <= 1) {
        compare(insn);
        return out_.set(choice.jumped ? jumps : opposite(jumps), to);
    }
    out_.move(r10, choice.fell); // before the comparison, because it may change the flags
    compare(insn);
    out_.move_if(opposite(jumps), to, r10);
}

} // namespace dt::vm
