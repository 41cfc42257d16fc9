// Computes the registers that each instruction reads and writes, and the live ranges that follow.
#include "dcompiler/ebpf/liveness.hpp"

#include <algorithm>

namespace dt::ebpf {

Operands operands(const MInsn& insn)
{
    Operands result;
    int uses = 0;
    const auto use = [&](Reg reg) {
        if (reg != kNoReg && reg != kFrame)
            result.uses[uses++] = reg;
    };
    switch (insn.kind) {
    case MInsn::Kind::CallHelper:
    case MInsn::Kind::CallKernel:
    case MInsn::Kind::CallLocal:
    case MInsn::Kind::CallRuntime:
        result.call = true;
        result.def = 0;
        return result;
    case MInsn::Kind::SetCond:
        use(insn.lhs);
        use(insn.src);
        result.def = insn.dst;
        result.early = true;
        return result;
    case MInsn::Kind::Branch:
        use(insn.dst);
        use(insn.src);
        return result;
    case MInsn::Kind::Jump:
        return result;
    case MInsn::Kind::LoadImm64:
    case MInsn::Kind::LoadMap:
    case MInsn::Kind::LoadData:
    case MInsn::Kind::FrameAddr:
    case MInsn::Kind::Pc:
        result.def = insn.dst;
        return result;
    case MInsn::Kind::SpillLoad:
    case MInsn::Kind::SpillStore:
        use(insn.src);
        result.def = insn.dst;
        return result;
    case MInsn::Kind::Plain:
        break;
    }
    switch (BPF_CLASS(insn.code)) {
    case BPF_LDX:
        use(insn.src);
        result.def = insn.dst;
        break;
    case BPF_ST:
        use(insn.dst);
        break;
    case BPF_STX:
        use(insn.dst);
        use(insn.src);
        if (BPF_MODE(insn.code) == BPF_ATOMIC) {
            if (insn.imm == BPF_CMPXCHG) {
                use(0);
                result.def = 0;
            } else if (insn.imm & BPF_FETCH) {
                result.def = insn.src;
            }
        }
        break;
    case BPF_ALU:
    case BPF_ALU64:
        result.def = insn.dst;
        if (BPF_OP(insn.code) != BPF_MOV)
            use(insn.dst);
        if (BPF_SRC(insn.code) == BPF_X && BPF_OP(insn.code) != BPF_END)
            use(insn.src);
        break;
    default: // exit
        use(0);
    }
    return result;
}

bool overlap(const Interval& a, const Interval& b)
{
    auto x = a.begin();
    auto y = b.begin();
    while (x != a.end() && y != b.end()) {
        if (x->to <= y->from)
            ++x;
        else if (y->to <= x->from)
            ++y;
        else
            return true;
    }
    return false;
}

namespace {

/// Computes which virtual registers are live at the start and end of each block, by walking backwards from each use
/// without a previous definition in its block.
class Borders {
public:
    explicit Borders(const MFunction& function)
        : f_(function), exposed_(function.regs), defs_(function.regs), live_out(function.blocks.size())
    {
        for (uint32_t block = 0; block < f_.blocks.size(); ++block)
            scan(block);
        std::vector<Reg> in_stamp(f_.blocks.size(), kNoReg), out_stamp(f_.blocks.size(), kNoReg),
            def_stamp(f_.blocks.size(), kNoReg);
        std::vector<uint32_t> work;
        for (Reg reg = kVirtual; reg < f_.regs; ++reg) {
            for (uint32_t block : defs_[reg])
                def_stamp[block] = reg;
            for (uint32_t block : exposed_[reg]) {
                in_stamp[block] = reg;
                work.push_back(block);
            }
            while (!work.empty()) {
                const uint32_t block = work.back();
                work.pop_back();
                for (uint32_t pred : f_.blocks[block].preds) {
                    if (out_stamp[pred] == reg)
                        continue;
                    out_stamp[pred] = reg;
                    live_out[pred].push_back(reg);
                    if (def_stamp[pred] != reg && in_stamp[pred] != reg) {
                        in_stamp[pred] = reg;
                        work.push_back(pred);
                    }
                }
            }
        }
    }

private:
    void scan(uint32_t block)
    {
        for (const MInsn& insn : f_.blocks[block].insns) {
            const Operands ops = operands(insn);
            for (Reg use : ops.uses)
                if (is_virtual(use) && !has(defs_[use], block) && !has(exposed_[use], block))
                    exposed_[use].push_back(block);
            if (is_virtual(ops.def) && !has(defs_[ops.def], block))
                defs_[ops.def].push_back(block);
        }
    }
    static bool has(const std::vector<uint32_t>& blocks, uint32_t block)
    {
        return !blocks.empty() && blocks.back() == block;
    }

    const MFunction& f_;
    std::vector<std::vector<uint32_t>> exposed_, defs_; // by register: blocks, ascending

public:
    std::vector<std::vector<Reg>> live_out; // by block
};

} // namespace

std::vector<std::vector<Reg>> live_at_end(const MFunction& function)
{
    return Borders(function).live_out;
}

Liveness live_intervals(const MFunction& function)
{
    const Borders borders(function);
    Liveness result;
    result.intervals.resize(function.regs);
    for (const MBlock& block : function.blocks) {
        result.first.push_back(result.instructions);
        result.instructions += static_cast<uint32_t>(block.insns.size());
    }
    // Builds intervals from the end of the function to its start; each one grows at its back and is reversed
    // afterwards.
    std::vector<uint32_t> open(function.regs, 0); // end of the range being built; 0: none
    std::vector<Reg> opened;
    const auto close = [&](Reg reg, uint32_t from) {
        Interval& interval = result.intervals[reg];
        if (!interval.empty() && interval.back().from <= open[reg])
            interval.back().from = from;
        else
            interval.push_back({from, open[reg]});
        open[reg] = 0;
    };
    const auto live_at = [&](Reg reg, uint32_t end) {
        if (open[reg] == 0) {
            open[reg] = end;
            opened.push_back(reg);
        }
    };
    for (uint32_t b = static_cast<uint32_t>(function.blocks.size()); b-- > 0;) {
        const MBlock& block = function.blocks[b];
        const uint32_t first = result.first[b];
        const uint32_t end = 2 * (first + static_cast<uint32_t>(block.insns.size()));
        opened.clear();
        for (Reg reg : borders.live_out[b])
            live_at(reg, end);
        for (std::size_t i = block.insns.size(); i-- > 0;) {
            const uint32_t at = 2 * (first + static_cast<uint32_t>(i));
            const Operands ops = operands(block.insns[i]);
            if (ops.call)
                for (Reg reg = 1; reg < kFirstSaved; ++reg) {
                    live_at(reg, at + 2);
                    close(reg, at + 1);
                }
            if (ops.def != kNoReg) {
                live_at(ops.def, at + 2);
                close(ops.def, ops.early ? at : at + 1);
            }
            for (Reg use : ops.uses)
                if (use != kNoReg)
                    live_at(use, at + 1);
            for (Reg arg = 1; ops.call && arg <= block.insns[i].args; ++arg)
                live_at(arg, at + 1);
        }
        for (Reg reg : opened)
            if (open[reg] != 0)
                close(reg, 2 * first);
    }
    for (Interval& interval : result.intervals)
        std::reverse(interval.begin(), interval.end());
    return result;
}

} // namespace dt::ebpf
