// Jumps, and those that need not be one.
//
// A truth value becomes, in eBPF, a jump over one constant: "r0 = 1; if r1 > 5 goto +1; r0 = 0". As a jump it is
// guessed wrong when events differ; the processor has instructions that take one of two values by the flags. They are
// used where both values are constants, so that nothing waits for a value that was not needed, and where only the jump
// leads to what it jumps over.
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
    default: // JNE, and JSET after a test
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
        out_.test(left, left, wide); // sets the flags as a comparison with 0 does
    } else {
        out_.alu(Alu::Cmp, left, insn.imm, wide);
    }
}

/// The register holds `jumped` already.
void X86Compiler::choose(const bpf_insn& insn, const Choice& choice)
{
    const Condition jumps = condition_of(BPF_OP(insn.code));
    const Reg to = kRegisters[choice.number];
    if (choice.jumped <= 1 && choice.fell <= 1) {
        compare(insn);
        return out_.set(choice.jumped ? jumps : opposite(jumps), to);
    }
    out_.move(r10, choice.fell); // may change the flags
    compare(insn);
    out_.move_if(opposite(jumps), to, r10);
}

} // namespace dt::vm
