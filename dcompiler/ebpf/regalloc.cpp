// Register allocation: assigns virtual registers to R0 to R9, or spills them to the stack frame.
//
// First, registers that are connected by a copy and never live at the same time are merged (coalesced). Then the
// allocator assigns the values, those with the largest weight first. Each gets a machine register that is free over its
// whole live interval (with holes). It prefers a register that makes a move unnecessary, then a caller-saved one. A
// call makes R0 to R5 busy, so values that live across calls get R6 to R9.
//
// If a value finds no register, its merge is undone, or else the value is spilled, and the allocation starts again. Few
// repetitions suffice: after spilling, a value is in a register only between calls.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "dcompiler/ebpf/machine_code.hpp"

namespace dt::ebpf {

// Liveness: the ranges of the code in which a register holds a value that will still be read.
//
// Positions in the code: instruction i reads at 2i and writes at 2i + 1. Live ranges exclude their end. So two values
// may share a register if one instruction reads the first value for the last time and writes the second. Machine
// registers have ranges too, from the moves and calls that use them.

struct LiveRange {
    uint32_t from = 0, to = 0;
};

/// Ranges in ascending order; between two ranges there is a gap.
using Interval = std::vector<LiveRange>;

bool overlap(const Interval& a, const Interval& b);

struct Liveness {
    std::vector<Interval> intervals; ///< live ranges of each register, including machine registers 0..10
    std::vector<uint32_t> first;     ///< for each block, the index of its first instruction in the layout
    uint32_t instructions = 0;
};

/// Returns, for each block, the virtual registers that are live at its end.
std::vector<std::vector<Reg>> live_at_end(const MFunction& function);

/// Computes the live intervals. The time is proportional to the sum, over all values, of the number of blocks in which
/// a value is live.
Liveness live_intervals(const MFunction& function);

// Spilling of virtual registers to the frame.

/// Facts about registers that the allocator keeps from one round to the next.
struct SpillState {
    enum class Role : uint8_t {
        Value,   // holds an ordinary value of the program
        Spilled, // the register is a slot in the frame
        // Holds the value of a spilled register from one access to the next. The frame slot always has the same value,
        // so the allocator can give this register up.
        Carried,
        Passing, // holds a spilled register's value for one instruction; must get a machine register
    };
    std::vector<Role> role; ///< role of each register in the current round of the allocation
    std::vector<Reg> of;    ///< for each Carried or Passing register: the spilled register with the same value

    void grow(std::size_t registers)
    {
        role.resize(registers, Role::Value);
        of.resize(registers, kNoReg);
    }
};

/// Rewrites the function so that registers marked in `now` are in the frame: SpillLoad before reads, SpillStore after
/// writes. Between accesses that are close together, a register with role Carried holds the value. If a Carried
/// register is itself marked, each access becomes a load or store.
void spill(MFunction& function, const std::vector<bool>& now, SpillState& state);

/// Removes stores to the frame that are never read: a register held the value until its last use, or the slot is
/// overwritten first. Call it only after the last spill, because giving up a Carried register adds reads of the slot.
void drop_dead_stores(MFunction& function);

namespace {

/// Ranges of positions at which a machine register is in use. They do not overlap, and are ordered by start.
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
                return Error{"function " + f_.ir->name + " needs too many values at the same time; split the clause"};
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

    /// Returns the registers to which machine registers must be assigned, one for each group of coalesced registers.
    /// Ranges that cannot be spilled come first. The others are in the order of weight divided by the length of the
    /// live interval.
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
        // Tries R0 and the first argument registers last, because other values may need them to save a move.
        constexpr uint8_t kOrder[] = {5, 4, 3, 2, 1, 0, 6, 7, 8, 9};
        for (uint8_t candidate : kOrder)
            if (busy_[candidate].free(interval))
                return candidate;
        return kNothing;
    }

    /// Tries to assign all registers, given the coalescing and spilling so far. If one gets no register, undoes a merge
    /// or spills a register, and returns false.
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

    // Returns the result of the allocation. Spilled registers that never live at the same time share a slot.
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
    std::vector<bool> separate_; // whether a register must not be merged with another (coalesced)
    std::vector<std::vector<Reg>> hints_;
    std::vector<uint8_t> assigned_;
    std::vector<Busy> busy_;
};

} // namespace

Result<Allocation> allocate(MFunction& function)
{
    return Allocator(function).run();
}

// Computes which registers each instruction reads and writes, and from that the live ranges.

namespace {

void add_use(Operands& operands, Reg reg)
{
    if (reg != kNoReg && reg != kFrame)
        *std::find(std::begin(operands.uses), std::end(operands.uses), kNoReg) = reg;
}

/// Returns the operands of an instruction of kind Plain, as its opcode determines them.
Operands plain_operands(const MInsn& insn)
{
    Operands result;
    const auto use = [&](Reg reg) { add_use(result, reg); };
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
    default: // the instruction exit reads R0
        use(0);
    }
    return result;
}

} // namespace

Operands operands(const MInsn& insn)
{
    Operands result;
    const auto use = [&](Reg reg) { add_use(result, reg); };
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
    return plain_operands(insn);
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

/// Computes which virtual registers are live at the start and end of each block. Walks backwards from each use, up to
/// the definition.
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
    // for each register: the blocks that read it before any write, and the blocks that write it; in ascending order
    std::vector<std::vector<uint32_t>> exposed_, defs_;

public:
    std::vector<std::vector<Reg>> live_out; // registers that are live at the end of each block
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
    // Builds live intervals backwards, from the end of the function to its start. Each interval's ranges are therefore
    // in descending order, and are reversed at the end.
    std::vector<uint32_t> open(function.regs, 0); // end of the range that is being built; 0: none is being built
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

// Spills registers to the frame.
//
// After spilling, the number of a register denotes a slot in the frame, which only SpillLoad and SpillStore access.
// Between calls, a "carried" register holds the value from one access to the next, so that an arithmetic chain does not
// load it at each step. Every write is still stored immediately.
//
// So the allocator can give up a carried register that gets no machine register, and make each access a load or store.
// Registers for these loads and stores live so briefly that they always get machine registers, so allocation
// terminates.
//
// Linux 6.1 forgets what a comparison tells about a spilled number: after `if (x > 8)`, a reloaded x has no bound. So
// both branches of such a comparison begin by storing the compared register again.

namespace {

using Role = SpillState::Role;

constexpr std::size_t kCarried = 3; // maximum number of values carried at the same time

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
    /// Returns the register number that denotes the frame slot of a register that is being spilled.
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
        // keeps the entries in the order of their last use; this one becomes the last
        std::rotate(found, found + 1, carried_.end());
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

    /// Returns whether the instruction moves a value between a carried register and its frame slot; such a move is not
    /// needed when the register is given up.
    bool is_own_transfer(const MInsn& insn) const
    {
        return (insn.kind == MInsn::Kind::SpillLoad && spilled(insn.dst) && slot(insn.dst) == insn.src) ||
               (insn.kind == MInsn::Kind::SpillStore && spilled(insn.src) && slot(insn.src) == insn.dst);
    }

    // Rewrites a copy so that it accesses the frame directly, without a carried register, unless the next instruction
    // uses the value.
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

    // Stores the registers of a comparison to their frame slots again. in_insn_ still describes the block's last
    // instruction.
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
