// Checks a module of IR: its structure, on which all passes rely, and its memory accesses, for which the kernel's
// verifier has rules.
#include "dcompiler/ir/check.hpp"

#include <algorithm>
#include <bitset>
#include <optional>

#include "dcompiler/ir/analysis.hpp"
#include "dcompiler/ir/bpf.hpp"

namespace dt::ir {
namespace {

constexpr std::size_t kMaxArguments = 5; // arguments are in the registers R1 to R5

class Structure {
public:
    Structure(const Module& module, const Function& function, std::vector<Refusal>& out)
        : module_(module), f_(function), out_(out)
    {
    }

    void run()
    {
        if (f_.blocks.empty())
            return refuse({}, "has no code");
        if (!blocks_end_well())
            return; // later checks require valid blocks
        order_ = reverse_post_order(f_);
        idom_ = immediate_dominators(f_, order_);
        edges();
        places();
        for (const BlockId block : order_)
            for (std::size_t i = 0; i < f_.blocks[block].instrs.size(); ++i)
                one(block, i);
    }

private:
    void refuse(const Span& at, std::string message) { out_.push_back({f_.name, at, std::move(message)}); }

    // Checks that every reachable block has one terminator, at its end, and that the targets of jumps exist. A block
    // without instructions must not be a target.
    bool blocks_end_well()
    {
        const std::size_t before = out_.size();
        std::vector<bool> wanted(f_.blocks.size(), false);
        wanted[0] = true;
        for (const Block& block : f_.blocks)
            for (std::size_t i = 0; i < block.instrs.size(); ++i) {
                if (block.instrs[i] >= f_.instrs.size()) {
                    refuse({}, "a block lists an instruction that does not exist");
                    continue;
                }
                const Instr& instr = f_.instrs[block.instrs[i]];
                const bool last = i + 1 == block.instrs.size();
                if (is(instr.op, OpClass::End) != last)
                    refuse(instr.at,
                           last ? "a block does not end with a terminator" : "a terminator is inside a block");
                for (int t = 0; last && t < successors(instr); ++t) {
                    if (instr.targets[t] < f_.blocks.size())
                        wanted[instr.targets[t]] = true;
                    else
                        refuse(instr.at, "a branch leads to a block that does not exist");
                }
            }
        for (std::size_t i = 0; i < f_.blocks.size(); ++i)
            if (wanted[i] && f_.blocks[i].instrs.empty())
                refuse({}, "block " + std::to_string(i) + " is empty");
        return out_.size() == before;
    }

    void edges()
    {
        std::vector<std::vector<BlockId>> from(f_.blocks.size());
        for (std::size_t block = 0; block < f_.blocks.size(); ++block) {
            if (f_.blocks[block].instrs.empty())
                continue;
            const Instr& last = f_.instrs[f_.blocks[block].instrs.back()];
            for (int t = 0; t < successors(last); ++t)
                from[last.targets[t]].push_back(static_cast<BlockId>(block));
        }
        for (const BlockId block : order_) {
            auto preds = f_.blocks[block].preds;
            std::sort(preds.begin(), preds.end());
            if (preds != from[block])
                refuse({}, "block " + std::to_string(block) + " does not know its predecessors");
        }
        if (!f_.blocks[0].preds.empty())
            refuse({}, "the entry block is jumped to");
    }

    void places()
    {
        block_of_.assign(f_.instrs.size(), kNone);
        index_of_.assign(f_.instrs.size(), 0);
        for (std::size_t block = 0; block < f_.blocks.size(); ++block)
            for (std::size_t i = 0; i < f_.blocks[block].instrs.size(); ++i) {
                const Value value = f_.blocks[block].instrs[i];
                if (block_of_[value] != kNone)
                    refuse(f_.instrs[value].at, "an instruction is listed twice");
                block_of_[value] = static_cast<BlockId>(block);
                index_of_[value] = static_cast<uint32_t>(i);
            }
    }

    bool dominates(BlockId a, BlockId b) const
    {
        while (b != a && idom_[b] != b)
            b = idom_[b];
        return a == b;
    }

    /// Checks that every path to instruction `index` of `block` computes `value` before.
    void reads(const Instr& user, Value value, BlockId block, std::size_t index)
    {
        if (value == kNone || value >= f_.instrs.size() || block_of_[value] == kNone)
            return refuse(user.at, "an operand does not exist");
        if (has(f_.instrs[value].op, kNoResult))
            return refuse(user.at, "an operand has no value");
        const BlockId home = block_of_[value];
        const bool before = home == block ? index_of_[value] < index : idom_[home] != kNone && dominates(home, block);
        if (!before)
            refuse(user.at,
                   "a value is used where it may not have been computed (value " + std::to_string(value) + ")");
    }

    void phi(const Instr& instr, BlockId block, std::size_t index)
    {
        const Block& b = f_.blocks[block];
        if (index > 0 && f_.instrs[b.instrs[index - 1]].op != Op::Phi)
            refuse(instr.at, "a phi comes after other instructions");
        if (instr.args.size() != b.preds.size())
            return refuse(instr.at, "a phi has " + std::to_string(instr.args.size()) + " values for " +
                                        std::to_string(b.preds.size()) + " ways in");
        for (std::size_t i = 0; i < b.preds.size(); ++i)
            if (idom_[b.preds[i]] != kNone)
                reads(instr, instr.args[i], b.preds[i], f_.blocks[b.preds[i]].instrs.size());
    }

    void index(const Instr& instr, std::size_t limit, const char* what)
    {
        if (instr.imm < 0 || static_cast<std::size_t>(instr.imm) >= limit)
            refuse(instr.at, std::string("there is no ") + what + " " + std::to_string(instr.imm));
    }

    void references(const Instr& instr)
    {
        switch (instr.op) {
        case Op::Param:
            return index(instr, f_.params, "parameter");
        case Op::StackAddr:
            return index(instr, f_.slots.size(), "stack slot");
        case Op::MapRef:
            return index(instr, module_.maps.size(), "map");
        case Op::DataAddr:
            return index(instr, module_.data.size(), "data object");
        case Op::CallLocal:
            index(instr, module_.functions.size(), "function");
            if (static_cast<std::size_t>(instr.imm) < module_.functions.size() &&
                module_.functions[static_cast<std::size_t>(instr.imm)].params != instr.args.size())
                refuse(instr.at, "a call passes " + std::to_string(instr.args.size()) + " arguments to " +
                                     module_.functions[static_cast<std::size_t>(instr.imm)].name);
            return;
        default:
            return;
        }
    }

    void one(BlockId block, std::size_t i)
    {
        const Instr& instr = f_.instrs[f_.blocks[block].instrs[i]];
        if (instr.op == Op::Phi)
            return phi(instr, block, i);
        const std::size_t wants = facts(instr.op).operands;
        if (wants >= 1 || (instr.op == Op::Return && instr.a != kNone))
            reads(instr, instr.a, block, i);
        if (wants >= 2)
            reads(instr, instr.b, block, i);
        for (const Value arg : instr.args)
            reads(instr, arg, block, i);
        if (is(instr.op, OpClass::Call) ? instr.args.size() > kMaxArguments
                                        : instr.args.size() != std::max<std::size_t>(wants, 2) - 2)
            refuse(instr.at, std::string("a ") + facts(instr.op).text + " has " + std::to_string(instr.args.size()) +
                                 " arguments");
        if (instr.width != 1 && instr.width != 2 && instr.width != 4 && instr.width != 8)
            refuse(instr.at, "an access is " + std::to_string(instr.width) + " bytes wide");
        if (instr.op == Op::Branch && !is_comparison(instr.cmp))
            refuse(instr.at, "a branch does not compare");
        references(instr);
    }

    const Module& module_;
    const Function& f_;
    std::vector<Refusal>& out_;
    std::vector<BlockId> order_, idom_, block_of_;
    std::vector<uint32_t> index_of_;
};

} // namespace

std::vector<Refusal> check_structure(const Module& module)
{
    std::vector<Refusal> out;
    for (const Function& function : module.functions)
        Structure(module, function, out).run();
    return out;
}

std::vector<Refusal> check(const Module& module)
{
    std::vector<Refusal> out = check_structure(module);
    return out.empty() ? check_memory(module) : out;
}

Result<void> verdict(const std::vector<Refusal>& refusals)
{
    if (refusals.empty())
        return {};
    const Refusal& first = refusals.front();
    const std::string place = first.at.line != 0 ? "line " + std::to_string(first.at.line) + ": " : std::string{};
    return Error{"internal error: " + place + first.message + " (in " + first.function +
                 "); this is an error in dtrace, not in your program: please report it together with the program"};
}

namespace {

struct Pointer {
    Mem mem = Mem::None;
    uint32_t region = 0;
    Range offset{0, 0}; // distance in bytes of the pointer from its base
    Value base = kNone; // instruction that created the pointer's base
};

const char* refusal_of(Mem mem, bool store)
{
    switch (mem) {
    case Mem::None:
        return "a number is used as an address";
    case Mem::MapOrNull:
        return "a pointer that may be NULL is used without a test";
    case Mem::Kernel:
        return "kernel memory can only be copied, not accessed directly";
    case Mem::User:
        return "user memory can only be copied, not accessed directly";
    case Mem::Map:
        return "a map is used as memory";
    case Mem::Context:
        return store ? "the probe's context cannot be changed" : nullptr;
    case Mem::Btf:
        return store ? "a kernel object cannot be changed" : nullptr;
    default:
        return nullptr;
    }
}

class Memory {
public:
    Memory(const Module& module, const Function& function, std::vector<Refusal>& out)
        : module_(module), f_(function), out_(out), order_(reverse_post_order(function)), ranges_(function)
    {
    }

    void run()
    {
        for (const BlockId block : order_) {
            const auto& values = f_.blocks[block].instrs;
            const bool accesses = std::any_of(values.begin(), values.end(),
                                              [this](Value v) { return is(f_.instrs[v].op, OpClass::Access); });
            // a block that is never reached is not checked: it follows a bounds check that always fails
            if (!accesses || ranges_.never_reached(block))
                continue;
            for (const Value value : values)
                if (is(f_.instrs[value].op, OpClass::Access))
                    access(f_.instrs[value], block);
        }
        written();
    }

private:
    void refuse(const Instr& instr, std::string message) { out_.push_back({f_.name, instr.at, std::move(message)}); }

    // Goes back from a pointer, through additions of constants and of variable numbers, to the instruction that created
    // its base.
    Pointer pointer(Value value, BlockId block) const
    {
        Range offset{0, 0};
        const Mem mem = f_.instrs[value].mem;
        for (;;) {
            const Instr& instr = f_.instrs[value];
            if (instr.op == Op::NonNull) {
                value = instr.a;
                continue;
            }
            const bool left = (instr.op == Op::Add || instr.op == Op::Sub) && f_.instrs[instr.a].mem != Mem::None;
            const bool right =
                instr.op == Op::Add && f_.instrs[instr.a].mem == Mem::None && f_.instrs[instr.b].mem != Mem::None;
            if (!left && !right)
                return {mem, instr.region, offset, value};
            const Range step = ranges_.at(left ? instr.b : instr.a, block);
            offset = instr.op == Op::Add ? sum(offset, step.low, step.high)
                                         : sum(offset, negate(step.high), negate(step.low));
            value = left ? instr.a : instr.b;
        }
    }
    static int64_t negate(int64_t value) { return value == Range{}.low ? Range{}.high : -value; }
    static Range sum(Range a, int64_t low, int64_t high)
    {
        Range result;
        if (__builtin_add_overflow(a.low, low, &result.low) || __builtin_add_overflow(a.high, high, &result.high))
            return {};
        return result;
    }

    void access(const Instr& instr, BlockId block)
    {
        const Pointer to = pointer(instr.a, block);
        if (const char* reason = refusal_of(to.mem, instr.op != Op::Load))
            return refuse(instr, reason);
        const Range at = sum(to.offset, instr.imm, instr.imm);
        if (to.mem == Mem::Context && to.offset.low != to.offset.high)
            return refuse(instr, "the probe's context is accessed at an offset that is not constant");
        if (to.mem != Mem::Stack && to.mem != Mem::MapValue)
            return;
        const auto [low, high] = limits(to);
        if (high == 0)
            return; // the size of the region is unknown, so only the kernel can check the bounds
        if (at.low < low || at.high > high - instr.width) {
            const bool wild = at.low == Range{}.low || at.high == Range{}.high || at.high - at.low > (int64_t{1} << 32);
            refuse(instr, wild
                              ? "memory is accessed at an offset that has no bounds"
                              : "bytes " + std::to_string(at.low) + " to " + std::to_string(at.high + instr.width - 1) +
                                    " of memory that has " + std::to_string(high - low));
        } else if (const Instr& base = f_.instrs[to.base]; base.op == Op::StackAddr && at.low == at.high) {
            const auto align = std::min<uint32_t>(f_.slots[static_cast<std::size_t>(base.imm)].align, 8);
            if (at.low % instr.width != 0 || align < instr.width)
                refuse(instr, "stack memory is accessed unaligned");
        }
    }

    /// Returns the limits of the accessible memory, relative to the pointer's base: offset of the first byte, and of
    /// the byte behind the last one.
    std::pair<int64_t, int64_t> limits(const Pointer& to) const
    {
        const Instr& base = f_.instrs[to.base];
        if (base.op == Op::StackAddr)
            return {0, f_.slots[static_cast<std::size_t>(base.imm)].size};
        if (base.op == Op::DataAddr)
            return {-base.imm2,
                    static_cast<int64_t>(module_.data[static_cast<std::size_t>(base.imm)].size) - base.imm2};
        if (base.op == Op::Phi || base.op == Op::Param)
            // a phi or parameter may point into the middle of a region, so negative offsets are accepted
            return {Range{}.low / 2, to.region};
        return {0, to.region};
    }

    // ---- checks for reads of uninitialized stack ------------------------------------------------------------------

    static constexpr std::size_t kBytes = 512;
    using Written = std::bitset<kBytes>;

    struct Bytes {
        std::size_t from, size;
    };

    /// Returns the stack bytes at a pointer with constant offset. Here, the bytes of all slots of a function are
    /// numbered consecutively.
    std::optional<Bytes> stack_bytes(Value value, BlockId block, int64_t offset, std::size_t size) const
    {
        const Pointer to = pointer(value, block);
        if (f_.instrs[to.base].op != Op::StackAddr || to.offset.low != to.offset.high)
            return std::nullopt;
        const auto slot = static_cast<std::size_t>(f_.instrs[to.base].imm);
        const int64_t at = static_cast<int64_t>(start_[slot]) + to.offset.low + offset;
        if (at < 0 || static_cast<std::size_t>(at) + size > kBytes)
            return std::nullopt;
        return Bytes{static_cast<std::size_t>(at), size};
    }

    void whole_slot(Written& state, Value value, BlockId block) const
    {
        const Instr& base = f_.instrs[pointer(value, block).base];
        if (base.op != Op::StackAddr)
            return;
        const auto slot = static_cast<std::size_t>(base.imm);
        for (std::size_t i = 0; i < f_.slots[slot].size && start_[slot] + i < kBytes; ++i)
            state.set(start_[slot] + i);
    }

    static bool all(const Written& state, Bytes bytes)
    {
        for (std::size_t i = 0; i < bytes.size; ++i)
            if (!state.test(bytes.from + i))
                return false;
        return true;
    }

    void must_be_written(const Written& state, const Instr& instr, Value value, BlockId block, int64_t offset,
                         std::size_t size)
    {
        const auto bytes = stack_bytes(value, block, offset, size);
        if (bytes && !all(state, *bytes))
            refuse(instr, "stack memory is read before it is written");
    }

    void helper_reads(const Written& state, const Instr& instr, BlockId block)
    {
        using Size = HelperAccess::Size;
        for (const HelperAccess& access : effects(instr.imm).reads) {
            if (access.size == Size::None || access.pointer >= instr.args.size() || access.length >= instr.args.size())
                continue;
            std::size_t size = 0;
            if (access.size == Size::Argument) {
                const Range length = ranges_.of(instr.args[access.length]);
                size = length.low == length.high && length.low > 0 ? static_cast<std::size_t>(length.low) : 0;
            } else if (const Instr& map = f_.instrs[instr.args[0]]; map.op == Op::MapRef) {
                const Map& m = module_.maps[static_cast<std::size_t>(map.imm)];
                size = access.size == Size::Key ? m.key_size : m.value_size;
            }
            must_be_written(state, instr, instr.args[access.pointer], block, 0, size);
        }
    }

    void step(Written& state, const Instr& instr, BlockId block)
    {
        if (instr.op == Op::Store) {
            if (const auto bytes = stack_bytes(instr.a, block, instr.imm, instr.width))
                for (std::size_t i = 0; i < bytes->size; ++i)
                    state.set(bytes->from + i);
            else
                // The offset is not constant, so the whole slot counts as written. That is usually right, because code
                // zeroes the other bytes before; otherwise the verifier refuses the program.
                whole_slot(state, instr.a, block);
        } else if (is(instr.op, OpClass::Access)) {
            must_be_written(state, instr, instr.a, block, instr.imm, instr.width);
        } else if (is(instr.op, OpClass::Call)) {
            if (instr.op == Op::CallHelper)
                helper_reads(state, instr, block);
            for (const Value arg : instr.args)
                whole_slot(state, arg, block);
        }
    }

    // Computes, for each block, the stack bytes that every path from the entry to it writes. In a loop, only the writes
    // before the loop count.
    void written()
    {
        start_.clear();
        std::size_t end = 0;
        for (const StackSlot& slot : f_.slots) {
            start_.push_back(end);
            end += slot.size;
        }
        if (f_.slots.empty() || end > kBytes)
            return;
        const auto both = [](Written& state, const Written& other) { state &= other; };
        flow_forward(f_, Written().set(), both, [this](BlockId block, Written& state) {
            for (const Value value : f_.blocks[block].instrs)
                step(state, f_.instrs[value], block);
        });
    }

    const Module& module_;
    const Function& f_;
    std::vector<Refusal>& out_;
    std::vector<BlockId> order_;
    Ranges ranges_;
    std::vector<std::size_t> start_; // for each slot, number of its first byte
};

} // namespace

std::vector<Refusal> check_memory(const Module& module)
{
    std::vector<Refusal> out;
    for (const Function& function : module.functions)
        Memory(module, function, out).run();
    return out;
}

} // namespace dt::ir
