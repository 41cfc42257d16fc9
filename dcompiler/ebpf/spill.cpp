// Spilling.
//
// A spilled register keeps its number but becomes a place in the frame, reached only by SpillLoad and SpillStore. Between calls a short-lived
// "passing" register carries it from one access to the next, so that an arithmetic chain is not stored and loaded at each step; at most
// kCarried of these live at once, which is what lets the allocator always find them a machine register.
//
// The kernel (6.1) forgets that a spilled number was compared: a reload after `if (x > 8)` is unbounded again. So the arms of an ordering test
// begin by storing the tested register back.
#include "dcompiler/ebpf/spill.hpp"

#include <algorithm>

#include "dcompiler/ebpf/liveness.hpp"

namespace dt::ebpf {
namespace {

constexpr std::size_t kCarried = 3;

class Spiller {
public:
    Spiller(MFunction& function, const std::vector<bool>& now, SpillState& state) : f_(function), now_(now), state_(state) {}

    void run()
    {
        const auto live = live_at_end(f_);
        for (uint32_t b = 0; b < f_.blocks.size(); ++b) {
            carried_.clear();
            out_.clear();
            const auto& insns = f_.blocks[b].insns;
            for (std::size_t i = 0; i < insns.size(); ++i)
                rewrite(insns[i], i + 1 < insns.size() ? &insns[i + 1] : nullptr);
            store_back(b, live[b]);
            f_.blocks[b].insns = out_;
        }
        for (auto& [block, insn] : heads_)
            f_.blocks[block].insns.insert(f_.blocks[block].insns.begin(), insn);
        for (Reg reg = 0; reg < now_.size(); ++reg)
            if (now_[reg])
                state_.spilled[reg] = true;
    }

private:
    struct Carried {
        Reg spilled, passing;
    };

    bool spilled(Reg reg) const { return reg < now_.size() && now_[reg]; }

    Reg passing()
    {
        const Reg reg = f_.fresh();
        state_.spilled.resize(f_.regs, false);
        state_.passing.resize(f_.regs, false);
        state_.passing[reg] = true;
        return reg;
    }

    Reg find(Reg reg)
    {
        for (std::size_t i = 0; i < carried_.size(); ++i)
            if (carried_[i].spilled == reg) {
                std::rotate(carried_.begin() + static_cast<std::ptrdiff_t>(i), carried_.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                            carried_.end()); // the most recently used is last
                return carried_.back().passing;
            }
        return kNoReg;
    }

    void carry(Reg reg, Reg in)
    {
        forget(reg);
        if (carried_.size() == kCarried)
            carried_.erase(carried_.begin());
        carried_.push_back({reg, in});
    }

    void forget(Reg reg)
    {
        std::erase_if(carried_, [&](const Carried& c) { return c.spilled == reg; });
    }

    void emit(const MInsn& insn) { out_.push_back(insn); }
    void load(Reg dst, Reg from, const MInsn& at)
    {
        emit({.kind = MInsn::Kind::SpillLoad, .dst = dst, .src = from, .origin = at.origin});
    }
    static MInsn stored(Reg to, Reg from, const MInsn& at)
    {
        return {.kind = MInsn::Kind::SpillStore, .dst = to, .src = from, .origin = at.origin};
    }

    // Copies that only cross between frame and register need no passing register, unless the next instruction goes on with the value.
    bool rewrite_move(const MInsn& insn, const MInsn* next)
    {
        if (!is_move(insn))
            return false;
        bool goes_on = false;
        if (next)
            for (Reg use : operands(*next).uses)
                goes_on |= use == insn.dst;
        if (spilled(insn.src) && !spilled(insn.dst)) {
            const Reg in = find(insn.src);
            if (in != kNoReg)
                emit({.code = kMov, .dst = insn.dst, .src = in, .origin = insn.origin});
            else
                load(insn.dst, insn.src, insn);
            return true;
        }
        if (spilled(insn.dst) && !spilled(insn.src) && !goes_on) {
            forget(insn.dst);
            emit(stored(insn.dst, insn.src, insn));
            return true;
        }
        return false;
    }

    void rewrite(MInsn insn, const MInsn* next)
    {
        if (rewrite_move(insn, next))
            return;
        const Operands ops = operands(insn);
        Reg* const fields[] = {&insn.dst, &insn.src, &insn.lhs};
        Reg done[3] = {kNoReg, kNoReg, kNoReg};
        Reg defined = kNoReg, defined_in = kNoReg;
        for (int i = 0; i < 3; ++i) {
            const Reg reg = *fields[i];
            if (!spilled(reg) || reg == done[0] || reg == done[1])
                continue;
            done[i] = reg;
            const bool used = std::find(std::begin(ops.uses), std::end(ops.uses), reg) != std::end(ops.uses);
            Reg in = used ? find(reg) : kNoReg;
            if (in == kNoReg) {
                in = passing();
                if (used)
                    load(in, reg, insn);
                carry(reg, in);
            }
            if (ops.def == reg) {
                defined = reg;
                defined_in = in;
            }
            for (Reg* field : fields)
                if (*field == reg)
                    *field = in;
        }
        emit(insn);
        if (defined != kNoReg)
            emit(stored(defined, defined_in, insn));
        if (ops.call)
            carried_.clear();
    }

    void store_back(uint32_t block, const std::vector<Reg>& live)
    {
        const MInsn& last = f_.blocks[block].insns.back();
        const uint8_t bits = BPF_OP(last.code);
        if (last.kind != MInsn::Kind::Branch || bits == BPF_JEQ || bits == BPF_JNE)
            return;
        for (Reg reg : {last.dst, last.src}) {
            if (!spilled(reg) || std::find(live.begin(), live.end(), reg) == live.end())
                continue;
            const Reg in = find(reg);
            for (uint32_t arm : last.targets)
                if (in != kNoReg && f_.blocks[arm].preds.size() == 1)
                    heads_.push_back({arm, stored(reg, in, last)});
        }
    }

    MFunction& f_;
    const std::vector<bool>& now_;
    SpillState& state_;
    std::vector<MInsn> out_;
    std::vector<Carried> carried_;
    std::vector<std::pair<uint32_t, MInsn>> heads_;
};

/// Removes frame stores that nothing reads: the value was carried to its last use, or is stored again first.
void drop_dead_stores(MFunction& function)
{
    const auto live_end = live_at_end(function);
    std::vector<bool> live(function.regs, false);
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
        auto& insns = function.blocks[b].insns;
        std::vector<Reg> touched(live_end[b]);
        for (Reg reg : live_end[b])
            live[reg] = true;
        std::vector<bool> dead(insns.size(), false);
        for (std::size_t i = insns.size(); i-- > 0;) {
            const Operands ops = operands(insns[i]);
            if (insns[i].kind == MInsn::Kind::SpillStore && !live[insns[i].dst]) {
                dead[i] = true;
                continue;
            }
            if (is_virtual(ops.def))
                live[ops.def] = false;
            for (Reg use : ops.uses)
                if (is_virtual(use)) {
                    live[use] = true;
                    touched.push_back(use);
                }
        }
        for (Reg reg : touched)
            live[reg] = false;
        std::size_t i = 0;
        std::erase_if(insns, [&](const MInsn&) { return dead[i++]; });
    }
}

} // namespace

void spill(MFunction& function, const std::vector<bool>& now, SpillState& state)
{
    state.spilled.resize(function.regs, false);
    state.passing.resize(function.regs, false);
    Spiller(function, now, state).run();
    drop_dead_stores(function);
}

} // namespace dt::ebpf
