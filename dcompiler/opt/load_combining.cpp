// Merges reads of several members of one structure into a single read.
//
// A member in memory that programs cannot load directly is read by a helper call. If a read is on every path to other
// reads close to the same address, a single call reads all their bytes. A group of merged reads does not include reads
// after a write of the program that may change the bytes, or after an operation that may take long.
//
// The merged call may fail because of bytes that the script does not use. Then the members are read one by one, and a
// mask records which reads fail; on success it is 0. Each use checks the bit of its own read, so faults are exactly
// those of the script.
#include <algorithm>

#include "dcompiler/ir/analysis.hpp"
#include "dcompiler/opt/passes.hpp"
#include "dcompiler/opt/stack_access.hpp"

namespace dt::opt {

using ir::Block;
using ir::BlockId;
using ir::Instr;
using ir::kNone;
using ir::Op;
using ir::Value;

namespace {

constexpr int64_t kMaxSpan = 64;   // maximum number of bytes that one merged read covers
constexpr int64_t kMaxStack = 128; // maximum number of stack bytes for all merged reads together
constexpr std::size_t kMaxMembers = 16;
// Maximum number of groups of merged reads. The verifier follows success and failure of each group, possibly in all
// combinations, so the number must be small.
constexpr std::size_t kMaxGroups = 4;

/// A read: the call that copies a number to the stack, the branch on its failure, and the load of the number from the
/// stack after success.
struct Read {
    BlockId block = 0;
    Value call = kNone, base = kNone, load = kNone;
    int64_t offset = 0;
    uint8_t size = 0;
};

struct Group {
    std::vector<Read> members; // reads of the group; the first is on every path to the others
    int64_t low = 0, high = 0;
    // true: the reads are from memory of the kernel or of a process; false: from maps of the BPF program
    bool foreign = false;
    int64_t span() const { return high - low; }
};

class Merging {
public:
    Merging(const ir::Module& module, ir::Function& f) : f_(f), accesses_(module, f), uses_(count_uses(f)) {}

    void run()
    {
        find_groups();
        int64_t used = 0;
        std::size_t merged = 0;
        for (const Group& group : groups_) {
            if (group.members.size() < 2 || used + align8(group.span()) > kMaxStack || merged == kMaxGroups)
                continue;
            used += align8(group.span());
            ++merged;
            merge(group);
        }
    }

private:
    static int64_t align8(int64_t size) { return (size + 7) & ~int64_t{7}; }

    /// Returns the Read whose call and branch are the end of the block.
    std::optional<Read> read_at_end(BlockId block) const
    {
        const Instr& test = f_.instrs[f_.blocks[block].instrs.back()];
        if (test.op != Op::Branch || test.cmp != Op::SLt || !is_constant(test.b, 0) ||
            test.targets[0] == test.targets[1])
            return std::nullopt;
        const Instr& call = f_.instrs[test.a];
        if (call.op != Op::CallHelper ||
            (call.imm != ir::bpf::kProbeReadKernel && call.imm != ir::bpf::kProbeReadUser) || uses_[test.a] != 1)
            return std::nullopt;
        const Instr& length = f_.instrs[call.args[1]];
        const auto to = accesses_.place(call.args[0]);
        if (length.op != Op::Const || length.imm < 1 || length.imm > 8 || !to || !accesses_.is_non_escaping(to->slot) ||
            !is_last(block, test.a))
            return std::nullopt;
        Read read{block, test.a, call.args[2], kNone, 0, static_cast<uint8_t>(length.imm)};
        take_distance(read);
        read.load = load_behind(test.targets[1], *to, read.size);
        return read.load == kNone ? std::nullopt : std::optional(read);
    }

    bool is_constant(Value v, int64_t number) const
    {
        return v != kNone && f_.instrs[v].op == Op::Const && f_.instrs[v].imm == number;
    }

    /// Returns whether the call is followed only by constants and arithmetic in the block.
    bool is_last(BlockId block, Value call) const
    {
        const auto& instrs = f_.blocks[block].instrs;
        const auto at = std::find(instrs.begin(), instrs.end(), call);
        return at != instrs.end() &&
               std::all_of(at + 1, instrs.end() - 1, [this](Value v) { return is_pure(f_.instrs[v]); });
    }

    void take_distance(Read& read) const
    {
        for (;;) {
            const Instr& i = f_.instrs[read.base];
            if ((i.op != Op::Add && i.op != Op::Sub) || f_.instrs[i.b].op != Op::Const)
                return;
            const int64_t step = f_.instrs[i.b].imm;
            if (step > INT16_MAX || step < INT16_MIN)
                return;
            read.offset += i.op == Op::Add ? step : -step;
            read.base = i.a;
        }
    }

    /// Returns the load of the number. It is in the block that control enters only after a successful read.
    Value load_behind(BlockId block, const StackPlace& from, uint8_t size) const
    {
        if (f_.blocks[block].preds.size() != 1)
            return kNone;
        for (const Value v : f_.blocks[block].instrs) {
            const Instr& i = f_.instrs[v];
            if (i.op == Op::Load)
                if (const auto at = accesses_.place(i.a);
                    at && at->slot == from.slot && at->offset + i.imm == from.offset)
                    return i.width == size ? v : kNone;
            if (!is_pure(i) && i.op != Op::Load)
                return kNone;
        }
        return kNone;
    }

    // ---- grouping of reads that one read can replace ---------------------------------------------------------------

    // Indices of the groups that a read at the current point may join. The first read of the group is on every path to
    // this point, and no write since then has changed the group's bytes.
    using Open = std::vector<std::size_t>;

    void find_groups()
    {
        was_read_.assign(f_.instrs.size(), false);
        const auto meet = [](Open& open, const Open& other) {
            std::erase_if(
                open, [&](std::size_t group) { return std::find(other.begin(), other.end(), group) == other.end(); });
        };
        ir::flow_forward(f_, Open{}, meet, [this](BlockId block, Open& open) {
            const auto read = read_at_end(block);
            if (read)
                was_read_[read->load] = true;
            for (const Value v : f_.blocks[block].instrs)
                std::erase_if(open, [&](std::size_t group) { return may_change(f_.instrs[v], groups_[group]); });
            if (read)
                place(*read, open);
        });
    }

    /// Returns whether a number comes from outside of the program: it is an argument of the probe or was read from
    /// memory.
    bool is_foreign(Value base) const
    {
        const Instr& i = f_.instrs[base];
        if (i.op != Op::Load)
            return i.op == Op::CallHelper && i.mem == ir::Mem::None;
        const ir::Mem from = f_.instrs[i.a].mem;
        return from == ir::Mem::Context || from == ir::Mem::Btf || was_read_[base];
    }

    /// Returns whether an instruction may change bytes of the group.
    bool may_change(const Instr& i, const Group& group) const
    {
        if (ir::is(i.op, ir::OpClass::Access))
            return i.op != Op::Load && !group.foreign && f_.instrs[i.a].mem != ir::Mem::Stack;
        if (const ir::HelperEffects* helper = ir::effects(i))
            return !helper->known || (!group.foreign && writes_to_maps(i));
        return ir::is(i.op, ir::OpClass::Call);
    }

    bool writes_to_maps(const Instr& call) const
    {
        const ir::HelperEffects& row = ir::effects(call.imm);
        if (row.writes.size != ir::HelperAccess::Size::None && row.writes.pointer < call.args.size())
            return f_.instrs[call.args[row.writes.pointer]].mem != ir::Mem::Stack;
        return row.map == ir::MapUse::Changes;
    }

    void place(const Read& read, Open& open)
    {
        if (read.offset % read.size != 0) // at this offset, the number would not be aligned on the stack
            return;
        for (const std::size_t number : open) {
            Group& group = groups_[number];
            const Read& first = group.members[0];
            const int64_t low = std::min(group.low, read.offset & ~int64_t{7}),
                          high = std::max(group.high, read.offset + read.size);
            if (first.base != read.base || f_.instrs[first.call].imm != f_.instrs[read.call].imm ||
                high - low > kMaxSpan || group.members.size() == kMaxMembers)
                continue;
            group.members.push_back(read);
            group.low = low;
            group.high = high;
            return;
        }
        open.push_back(groups_.size());
        groups_.push_back({{read}, read.offset & ~int64_t{7}, read.offset + read.size, is_foreign(read.base)});
    }

    // ---- code generation for groups of reads -----------------------------------------------------------------------

    struct Code : Appender {
        Value moved(Value base, int64_t offset) const
        {
            return offset ? binary(Op::Add, base, constant(offset)) : base;
        }
        Value stack(uint32_t slot, int64_t offset) const
        {
            const uint32_t size = f.slots[slot].size;
            const Value base = make({.op = Op::StackAddr, .mem = ir::Mem::Stack, .region = size, .imm = slot});
            if (offset == 0)
                return base;
            const Value by = constant(offset);
            return make({.op = Op::Add,
                         .mem = ir::Mem::Stack,
                         .region = size - static_cast<uint32_t>(offset),
                         .a = base,
                         .b = by});
        }
        Value call(int64_t helper, std::vector<Value> args) const
        {
            return make({.op = Op::CallHelper, .imm = helper, .args = std::move(args)});
        }
    };

    /// Merges the reads of a group. The first read (block first: … call, branch) becomes:
    ///   first: … merged call, branch to slow or on
    ///   slow: single reads that compute a mask
    ///   on: phi of masks, test of the first read
    void merge(const Group& group)
    {
        f_.slots.push_back({static_cast<uint32_t>(align8(group.span())), 8});
        const auto slot = static_cast<uint32_t>(f_.slots.size() - 1);
        const Read first = group.members[0];
        const auto slow = static_cast<BlockId>(f_.blocks.size()), on = slow + 1;
        f_.blocks.resize(f_.blocks.size() + 2);
        const Span at = f_.instrs[first.call].at;
        auto& head = f_.blocks[first.block].instrs;
        const Value test = head.back();
        head.pop_back();
        head.erase(std::find(head.begin(), head.end(), first.call));
        const int64_t helper = f_.instrs[first.call].imm;

        const Code wide{f_, head, at};
        const Value nothing = wide.constant(0);
        const Value to = wide.stack(slot, 0), length = wide.constant(group.span()),
                    from = wide.moved(first.base, group.low);
        const Value failed = wide.call(helper, {to, length, from});
        wide.make({.op = Op::Branch, .cmp = Op::SLt, .a = failed, .b = nothing, .targets = {slow, on}});
        f_.blocks[slow].preds = {first.block};

        const Code alone{f_, f_.blocks[slow].instrs, at};
        const Value failures = one_by_one(alone, group, slot, helper);
        alone.make({.op = Op::Jump, .targets = {on, 0}});

        f_.blocks[on].preds = {first.block, slow};
        const Value mask = Code{f_, f_.blocks[on].instrs, at}.make({.op = Op::Phi, .args = {nothing, failures}});
        f_.blocks[on].instrs.push_back(test);
        for (const BlockId target : f_.instrs[test].targets)
            std::replace(f_.blocks[target].preds.begin(), f_.blocks[target].preds.end(), first.block, on);
        for (std::size_t i = 0; i < group.members.size(); ++i)
            use(group, i, slot, mask, i == 0 ? on : group.members[i].block);
    }

    /// Emits the reads of the single members, for the case that the merged read fails. Returns a mask with a bit for
    /// each read that fails.
    Value one_by_one(const Code& code, const Group& group, uint32_t slot, int64_t helper) const
    {
        Value failures = kNone;
        for (std::size_t i = 0; i < group.members.size(); ++i) {
            const Read& read = group.members[i];
            const Value to = code.stack(slot, read.offset - group.low), length = code.constant(read.size),
                        from = code.moved(read.base, read.offset);
            const Value result = code.call(helper, {to, length, from});
            const Value sign = code.binary(Op::LShr, result, code.constant(63));
            const Value bit = i == 0 ? sign : code.binary(Op::Shl, sign, code.constant(static_cast<int64_t>(i)));
            failures = i == 0 ? bit : code.binary(Op::Or, failures, bit);
        }
        return failures;
    }

    /// Changes a read: its branch tests the read's bit in the mask, and its number is loaded from the buffer of the
    /// merged read.
    void use(const Group& group, std::size_t member, uint32_t slot, Value mask, BlockId block)
    {
        const Read& read = group.members[member];
        auto& instrs = f_.blocks[block].instrs;
        const Value test = instrs.back();
        instrs.pop_back();
        std::erase(instrs, read.call);
        const Code code{f_, instrs, f_.instrs[test].at};
        const Value bit = code.binary(Op::And, mask, code.constant(int64_t{1} << member));
        const Value nothing = code.constant(0);
        f_.instrs[test].cmp = Op::Ne;
        f_.instrs[test].a = bit;
        f_.instrs[test].b = nothing;
        instrs.push_back(test);

        const BlockId good = f_.instrs[test].targets[1];
        auto& behind = f_.blocks[good].instrs;
        const auto load = std::find(behind.begin(), behind.end(), read.load);
        std::vector<Value> address;
        const Value from = Code{f_, address, f_.instrs[test].at}.stack(slot, read.offset - group.low);
        const Value before = f_.instrs[read.load].a;
        const int64_t offset = f_.instrs[read.load].imm;
        f_.instrs[read.load].a = from;
        f_.instrs[read.load].imm = 0;
        // Also stores the number where the original read stored it, for other code that loads it there. Usually there
        // is none, and dead store elimination removes this store.
        std::vector<Value> kept;
        Code{f_, kept, f_.instrs[test].at}.make(
            {.op = Op::Store, .width = read.size, .a = before, .b = read.load, .imm = offset});
        const auto behind_load =
            behind.insert(load, address.begin(), address.end()) + static_cast<std::ptrdiff_t>(address.size()) + 1;
        behind.insert(behind_load, kept.begin(), kept.end());
    }

    ir::Function& f_;
    StackAccesses accesses_;
    std::vector<uint32_t> uses_;
    std::vector<Group> groups_;
    std::vector<bool> was_read_; // for each value, whether it was read from memory of the kernel or of a process
};

} // namespace

void combine_loads(const ir::Module& module, ir::Function& f)
{
    Merging(module, f).run();
}

} // namespace dt::opt
