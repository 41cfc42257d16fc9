// Spills registers to the frame.
//
// A spilled register keeps its number but becomes a frame slot that only SpillLoad and SpillStore access. Between
// calls, a "carried" register holds its value from one access to the next, so that an arithmetic chain is not stored
// and loaded at each step. Every write is still stored at once. So a carried register that gets no machine register is
// replaced by loads and stores around each instruction. These are so short that machine registers for them always
// exist, which is why allocation ends.
//
// Kernel 6.1 forgets comparisons of a spilled number: a reload after `if (x > 8)` is unbounded again. So both arms of
// an ordering test begin by storing the tested register again.
#include "dcompiler/ebpf/spill.hpp"

#include <algorithm>
#include <utility>

#include "dcompiler/ebpf/liveness.hpp"

namespace dt::ebpf {
namespace {

using Role = SpillState::Role;

constexpr std::size_t kCarried = 3; // limit of carried registers, in each round

class Spiller {
public:
    Spiller(MFunction& function, const std::vector<bool>& now, SpillState& state)
        : f_(function), now_(now), state_(state)
    {
    }

    void run()
    {
        const auto live = live_at_end(f_);
        for (uint32_t b = 0; b < f_.blocks.size(); ++b) {
            carried_.clear();
            out_.clear();
            const MInsn last = f_.blocks[b].insns.back();
            const auto& insns = f_.blocks[b].insns;
            for (std::size_t i = 0; i < insns.size(); ++i)
                rewrite(insns[i], i + 1 < insns.size() ? &insns[i + 1] : nullptr);
            store_back(last, live[b]);
            f_.blocks[b].insns = out_;
        }
        for (auto& [block, insn] : heads_)
            f_.blocks[block].insns.insert(f_.blocks[block].insns.begin(), insn);
        for (Reg reg = 0; reg < now_.size(); ++reg)
            if (now_[reg] && state_.role[reg] == Role::Value)
                state_.role[reg] = Role::Spilled;
    }

private:
    struct Held {
        Reg spilled, in;
    };

    bool spilled(Reg reg) const { return reg < now_.size() && now_[reg]; }
    /// Returns the frame slot's register for a register being spilled.
    Reg slot(Reg reg) const { return state_.of[reg] == kNoReg ? reg : state_.of[reg]; }

    Reg holder(Reg reg)
    {
        const bool single = state_.role[reg] == Role::Carried;
        const Reg in = f_.fresh();
        state_.grow(f_.regs);
        state_.role[in] = single ? Role::Passing : Role::Carried;
        state_.of[in] = slot(reg);
        if (!single) {
            forget(reg);
            if (carried_.size() == kCarried)
                carried_.erase(carried_.begin());
            carried_.push_back({reg, in});
        }
        return in;
    }

    Reg find(Reg reg)
    {
        const auto found =
            std::find_if(carried_.begin(), carried_.end(), [&](const Held& held) { return held.spilled == reg; });
        if (found == carried_.end())
            return kNoReg;
        std::rotate(found, found + 1, carried_.end()); // keeps the most recently used one last
        return carried_.back().in;
    }

    void forget(Reg reg)
    {
        std::erase_if(carried_, [&](const Held& held) { return held.spilled == reg; });
    }

    void emit(const MInsn& insn) { out_.push_back(insn); }
    void load(Reg dst, Reg reg, const MInsn& at)
    {
        emit({.kind = MInsn::Kind::SpillLoad, .dst = dst, .src = slot(reg), .origin = at.origin});
    }
    MInsn stored(Reg reg, Reg from, const MInsn& at) const
    {
        return {.kind = MInsn::Kind::SpillStore, .dst = slot(reg), .src = from, .origin = at.origin};
    }

    /// Returns whether the instruction moves between a dissolved carried register and its own slot.
    bool is_own_transfer(const MInsn& insn) const
    {
        return (insn.kind == MInsn::Kind::SpillLoad && spilled(insn.dst) && slot(insn.dst) == insn.src) ||
               (insn.kind == MInsn::Kind::SpillStore && spilled(insn.src) && slot(insn.src) == insn.dst);
    }

    // Rewrites a copy between frame and register without a carried register, unless the next instruction uses the
    // value.
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
        if (is_own_transfer(insn) || rewrite_move(insn, next))
            return;
        const Operands ops = operands(insn);
        Reg* const fields[] = {&insn.dst, &insn.src, &insn.lhs};
        const Reg before[] = {insn.dst, insn.src, insn.lhs};
        in_insn_.clear();
        Reg defined_in = kNoReg;
        for (const Reg reg : before) {
            const bool done =
                std::any_of(in_insn_.begin(), in_insn_.end(), [&](const Held& held) { return held.spilled == reg; });
            if (!spilled(reg) || done)
                continue;
            const bool used = std::find(std::begin(ops.uses), std::end(ops.uses), reg) != std::end(ops.uses);
            Reg in = used ? find(reg) : kNoReg;
            if (in == kNoReg) {
                in = holder(reg);
                if (used)
                    load(in, reg, insn);
            }
            in_insn_.push_back({reg, in});
            if (ops.def == reg)
                defined_in = in;
        }
        for (int i = 0; i < 3; ++i)
            for (const Held& held : in_insn_)
                if (before[i] == held.spilled)
                    *fields[i] = held.in;
        emit(insn);
        if (defined_in != kNoReg)
            emit(stored(ops.def, defined_in, insn));
        if (ops.call)
            carried_.clear();
    }

    // Stores tested registers back; in_insn_ still describes the block's last instruction.
    void store_back(const MInsn& last, const std::vector<Reg>& live)
    {
        const uint8_t bits = BPF_OP(last.code);
        if (last.kind != MInsn::Kind::Branch || bits == BPF_JEQ || bits == BPF_JNE)
            return;
        for (const Held& held : in_insn_) {
            const bool stays = std::find(live.begin(), live.end(), held.spilled) != live.end();
            for (const uint32_t arm : last.targets)
                if (stays && f_.blocks[arm].preds.size() == 1)
                    heads_.push_back({arm, stored(held.spilled, held.in, last)});
        }
    }

    MFunction& f_;
    const std::vector<bool>& now_;
    SpillState& state_;
    std::vector<MInsn> out_;
    std::vector<Held> carried_;
    std::vector<Held> in_insn_;
    std::vector<std::pair<uint32_t, MInsn>> heads_;
};

} // namespace

void spill(MFunction& function, const std::vector<bool>& now, SpillState& state)
{
    state.grow(function.regs);
    Spiller(function, now, state).run();
}

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

} // namespace dt::ebpf
