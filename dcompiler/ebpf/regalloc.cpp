// Register allocation: assigns virtual registers to R0..R9 or the frame.
//
// The heaviest values are assigned first. Each gets a machine register that is free over its whole live interval (with
// holes), preferring one that removes a move, then a caller-saved one. A call makes R0..R5 busy, so values that live
// across calls get R6..R9. Copies between registers that are never live together are coalesced first. A value without a
// free register is first uncoalesced, then spilled, and the round is repeated. Few rounds suffice, because spilled
// values only live between calls.
#include <algorithm>
#include <map>
#include <numeric>

#include "dcompiler/ebpf/code.hpp"
#include "dcompiler/ebpf/liveness.hpp"
#include "dcompiler/ebpf/spill.hpp"

namespace dt::ebpf {
namespace {

/// Busy ranges of a machine register: disjoint, ordered by start.
class Busy {
public:
    bool free(const Interval& interval) const
    {
        for (const LiveRange& range : interval) {
            auto next = ranges_.lower_bound(range.to);
            if (next != ranges_.begin() && std::prev(next)->second > range.from)
                return false;
        }
        return true;
    }
    void take(const Interval& interval)
    {
        for (const LiveRange& range : interval)
            ranges_[range.from] = range.to;
    }

private:
    std::map<uint32_t, uint32_t> ranges_;
};

Interval merge(const Interval& a, const Interval& b)
{
    Interval all(a.size() + b.size());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), all.begin(),
               [](const LiveRange& x, const LiveRange& y) { return x.from < y.from; });
    Interval result;
    for (const LiveRange& range : all) {
        if (!result.empty() && result.back().to >= range.from)
            result.back().to = std::max(result.back().to, range.to);
        else
            result.push_back(range);
    }
    return result;
}

class Allocator {
public:
    explicit Allocator(MFunction& function) : f_(function) {}

    Result<Allocation> run()
    {
        state_.grow(f_.regs);
        separate_.resize(f_.regs, false);
        while (!round())
            if (stuck_)
                return Error{"function " + f_.ir->name + " keeps too many values at once; split the clause"};
        for (MBlock& block : f_.blocks)
            for (MInsn& insn : block.insns)
                for (Reg* field : {&insn.dst, &insn.src, &insn.lhs})
                    if (is_virtual(*field))
                        *field = root(*field);
        Allocation result = finish();
        drop_dead_stores(f_);
        return result;
    }

private:
    Reg root(Reg reg)
    {
        while (parent_[reg] != reg)
            reg = parent_[reg] = parent_[parent_[reg]];
        return reg;
    }

    bool mergeable(Reg reg) const { return is_virtual(reg) && state_.role[reg] == Role::Value && !separate_[reg]; }

    void weigh()
    {
        weight_.assign(f_.regs, 0);
        for (const MBlock& block : f_.blocks)
            for (const MInsn& insn : block.insns) {
                const Operands ops = operands(insn);
                for (Reg use : ops.uses)
                    if (is_virtual(use))
                        weight_[use] += 1;
                if (is_virtual(ops.def))
                    weight_[ops.def] += 1;
            }
    }

    void coalesce()
    {
        parent_.resize(f_.regs);
        std::iota(parent_.begin(), parent_.end(), Reg{0});
        members_.assign(f_.regs, 1);
        for (const MBlock& block : f_.blocks)
            for (const MInsn& insn : block.insns) {
                if (!is_move(insn) || !mergeable(insn.dst) || !mergeable(insn.src))
                    continue;
                const Reg to = root(insn.dst), from = root(insn.src);
                if (to == from || overlap(live_.intervals[to], live_.intervals[from]))
                    continue;
                live_.intervals[to] = merge(live_.intervals[to], live_.intervals[from]);
                live_.intervals[from].clear();
                weight_[to] += weight_[from] - 2;
                members_[to] += members_[from];
                parent_[from] = to;
            }
    }

    void collect_hints()
    {
        hints_.assign(f_.regs, {});
        for (const MBlock& block : f_.blocks)
            for (const MInsn& insn : block.insns) {
                if (!is_move(insn))
                    continue;
                const Reg dst = is_virtual(insn.dst) ? root(insn.dst) : insn.dst;
                const Reg src = is_virtual(insn.src) ? root(insn.src) : insn.src;
                if (is_virtual(dst))
                    hints_[dst].push_back(src);
                if (is_virtual(src))
                    hints_[src].push_back(dst);
            }
    }

    /// Returns the classes that need a machine register: mandatory ones first, then by weight per length.
    std::vector<Reg> queue()
    {
        std::vector<Reg> list;
        std::vector<double> density(f_.regs, 0);
        for (Reg reg = kVirtual; reg < f_.regs; ++reg) {
            if (root(reg) != reg || state_.role[reg] == Role::Spilled || live_.intervals[reg].empty())
                continue;
            uint32_t length = 8;
            for (const LiveRange& range : live_.intervals[reg])
                length += range.to - range.from;
            density[reg] = weight_[reg] / length;
            list.push_back(reg);
        }
        std::sort(list.begin(), list.end(), [&](Reg a, Reg b) {
            const bool must_a = state_.role[a] == Role::Passing, must_b = state_.role[b] == Role::Passing;
            if (must_a != must_b)
                return must_a;
            if (!must_a && density[a] != density[b])
                return density[a] > density[b];
            const uint32_t from_a = live_.intervals[a].front().from, from_b = live_.intervals[b].front().from;
            return from_a != from_b ? from_a < from_b : a < b;
        });
        return list;
    }

    uint8_t choose(Reg reg)
    {
        const Interval& interval = live_.intervals[reg];
        for (Reg hint : hints_[reg]) {
            const uint8_t wanted = hint < kRegisters  ? static_cast<uint8_t>(hint)
                                   : is_virtual(hint) ? assigned_[hint]
                                                      : kNothing;
            if (wanted < kRegisters && busy_[wanted].free(interval))
                return wanted;
        }
        // R0 and the first arguments come last, because other values have reasons to prefer them.
        constexpr uint8_t kOrder[] = {5, 4, 3, 2, 1, 0, 6, 7, 8, 9};
        for (uint8_t candidate : kOrder)
            if (busy_[candidate].free(interval))
                return candidate;
        return kNothing;
    }

    /// Runs one attempt with all earlier decisions. Returns false if something had to be uncoalesced or spilled.
    bool round()
    {
        live_ = live_intervals(f_);
        weigh();
        coalesce();
        collect_hints();
        busy_.assign(kRegisters, {});
        for (uint8_t reg = 0; reg < kRegisters; ++reg)
            busy_[reg].take(live_.intervals[reg]);
        assigned_.assign(f_.regs, kNothing);
        std::vector<bool> unmerge(f_.regs, false), now(f_.regs, false);
        bool again = false;
        for (Reg reg : queue()) {
            const uint8_t machine = choose(reg);
            if (machine != kNothing) {
                busy_[machine].take(live_.intervals[reg]);
                assigned_[reg] = machine;
                continue;
            }
            again = true;
            stuck_ |= state_.role[reg] == Role::Passing;
            (members_[reg] > 1 ? unmerge : now)[reg] = true;
        }
        if (!again)
            return true;
        for (Reg reg = kVirtual; reg < f_.regs; ++reg)
            if (unmerge[root(reg)])
                separate_[reg] = true;
        spill(f_, now, state_);
        separate_.resize(f_.regs, false);
        return false;
    }

    // Returns the result. Spilled registers that are never live together share a frame slot.
    Allocation finish()
    {
        Allocation result;
        result.reg.assign(f_.regs, Allocation::kSpilled);
        result.home.assign(f_.regs, kNoSlot);
        for (Reg reg = 0; reg <= kFrame; ++reg)
            result.reg[reg] = static_cast<uint8_t>(reg);
        std::vector<Busy> homes;
        for (Reg reg = kVirtual; reg < f_.regs; ++reg) {
            if (state_.role[reg] != Role::Spilled) {
                result.reg[reg] = assigned_[root(reg)];
                continue;
            }
            if (live_.intervals[reg].empty())
                continue;
            uint32_t home = 0;
            while (home < homes.size() && !homes[home].free(live_.intervals[reg]))
                ++home;
            if (home == homes.size())
                homes.emplace_back();
            homes[home].take(live_.intervals[reg]);
            result.home[reg] = home;
        }
        result.spill_slots = static_cast<uint32_t>(homes.size());
        return result;
    }

    static constexpr uint8_t kNothing = 0xfe;
    using Role = SpillState::Role;
    MFunction& f_;
    SpillState state_;
    bool stuck_ = false;
    Liveness live_;
    std::vector<Reg> parent_;
    std::vector<uint32_t> members_;
    std::vector<double> weight_;
    std::vector<bool> separate_; // registers excluded from coalescing
    std::vector<std::vector<Reg>> hints_;
    std::vector<uint8_t> assigned_;
    std::vector<Busy> busy_;
};

} // namespace

Result<Allocation> allocate(MFunction& function)
{
    return Allocator(function).run();
}

} // namespace dt::ebpf
