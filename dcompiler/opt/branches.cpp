// Simplifies branches. Branches whose outcome is constant, or follows from an earlier branch, become jumps. If a block
// only tests a value that is constant in one of its predecessors, that predecessor jumps directly to the outcome.
// Consecutive blocks are merged.
#include <algorithm>
#include <optional>

#include "dcompiler/ir/analysis.hpp"
#include "dcompiler/opt/passes.hpp"

namespace dt::opt {

using ir::BlockId;
using ir::Instr;
using ir::kNone;
using ir::Op;
using ir::Value;

namespace {

constexpr std::size_t kLongestDecision = 12;

std::optional<int64_t> constant(const ir::Function& f, Value v)
{
    return f.instrs[v].op == Op::Const ? std::optional(f.instrs[v].imm) : std::nullopt;
}

bool holds(Op cmp, int64_t a, int64_t b)
{
    return evaluate(cmp, a, b).value_or(0) != 0;
}

void fold_known(ir::Function& f, BlockId block)
{
    if (f.blocks[block].instrs.empty())
        return;
    Instr& last = f.instrs[f.blocks[block].instrs.back()];
    if (last.op != Op::Branch)
        return;
    if (last.targets[0] == last.targets[1]) {
        // Both edges lead to the same block. If it has phis, they may need different values for the two edges, so the
        // branch is not replaced by a jump.
        const BlockId target = last.targets[0];
        const auto& instrs = f.blocks[target].instrs;
        if (!instrs.empty() && f.instrs[instrs.front()].op == Op::Phi)
            return;
        return replace_by_jump(f, block, 0);
    }
    const auto a = constant(f, last.a), b = constant(f, last.b);
    if (!a || !b)
        return;
    replace_by_jump(f, block, holds(last.cmp, *a, *b) ? 0 : 1);
}

bool begins_with_phi(const ir::Function& f, BlockId block)
{
    return !f.blocks[block].instrs.empty() && f.instrs[f.blocks[block].instrs.front()].op == Op::Phi;
}

/// A decision block: a block with one phi, arithmetic on the phi and constants, and a branch that compares two of these
/// values. No other block uses the values.
struct Decision {
    Value phi;
    BlockId targets[2];
};

std::optional<Decision> decision(const ir::Function& f, BlockId block, const std::vector<uint32_t>& uses)
{
    const auto& instrs = f.blocks[block].instrs;
    if (instrs.size() < 2 || instrs.size() > kLongestDecision || f.instrs[instrs[0]].op != Op::Phi)
        return {};
    std::vector<uint32_t> inside(instrs.size(), 0);
    const auto use = [&](Value v) {
        const auto found = std::find(instrs.begin(), instrs.end(), v);
        if (found != instrs.end())
            ++inside[static_cast<std::size_t>(found - instrs.begin())];
        return found != instrs.end() || f.instrs[v].op == Op::Const;
    };
    for (std::size_t i = 1; i < instrs.size(); ++i) {
        const Instr& instr = f.instrs[instrs[i]];
        const bool last = i + 1 == instrs.size();
        if (last ? instr.op != Op::Branch : !ir::is_binary(instr.op) && instr.op != Op::Const)
            return {};
        if (instr.op != Op::Const && (!use(instr.a) || !use(instr.b)))
            return {};
    }
    // No other block may use values of this block: they are undefined if the block is bypassed.
    for (std::size_t i = 0; i + 1 < instrs.size(); ++i)
        if (uses[instrs[i]] != inside[i])
            return {};
    const Instr& last = f.instrs[instrs.back()];
    if (last.targets[0] == last.targets[1] || begins_with_phi(f, last.targets[0]) ||
        begins_with_phi(f, last.targets[1]))
        return {};
    return Decision{instrs[0], {last.targets[0], last.targets[1]}};
}

/// Returns whether the branch of a decision block is taken if its phi has the value `value`; nothing if that is not
/// known.
std::optional<bool> decided(const ir::Function& f, BlockId block, int64_t value)
{
    const auto& instrs = f.blocks[block].instrs;
    std::vector<std::pair<Value, int64_t>> known{{instrs[0], value}};
    const auto number = [&](Value v) -> std::optional<int64_t> {
        for (const auto& [one, result] : known)
            if (one == v)
                return result;
        return constant(f, v);
    };
    for (std::size_t i = 1; i < instrs.size(); ++i) {
        const Instr& instr = f.instrs[instrs[i]];
        if (instr.op == Op::Const)
            continue;
        const auto a = number(instr.a), b = number(instr.b);
        const auto result = a && b ? evaluate(instr.op == Op::Branch ? instr.cmp : instr.op, *a, *b) : std::nullopt;
        if (!result)
            return {};
        known.emplace_back(instrs[i], *result);
    }
    return known.back().second != 0;
}

void thread_jumps(ir::Function& f, BlockId block, const std::vector<uint32_t>& uses)
{
    const auto d = decision(f, block, uses);
    if (!d)
        return;
    const std::vector<BlockId> preds = f.blocks[block].preds;
    for (const BlockId pred : preds) {
        const auto& list = f.blocks[block].preds;
        const auto index = std::find(list.begin(), list.end(), pred) - list.begin();
        const auto value = constant(f, f.instrs[d->phi].args[static_cast<std::size_t>(index)]);
        Instr& jump = f.instrs[f.blocks[pred].instrs.back()];
        if (!value || jump.op != Op::Jump)
            continue;
        const auto yes = decided(f, block, *value);
        if (!yes)
            continue;
        const BlockId target = d->targets[*yes ? 0 : 1];
        remove_edge(f, pred, block);
        jump.targets[0] = target;
        f.blocks[target].preds.push_back(pred);
    }
}

/// Merges a block into its predecessor if it has only one, which ends with a jump to it.
void merge_into_predecessor(ir::Function& f, BlockId block)
{
    ir::Block& b = f.blocks[block];
    if (block == 0 || b.preds.size() != 1 || begins_with_phi(f, block) || b.instrs.empty())
        return;
    const BlockId pred = b.preds[0];
    ir::Block& p = f.blocks[pred];
    if (pred == block || p.instrs.empty() || f.instrs[p.instrs.back()].op != Op::Jump)
        return;
    p.instrs.pop_back();
    p.instrs.insert(p.instrs.end(), b.instrs.begin(), b.instrs.end());
    const Instr& last = f.instrs[p.instrs.back()];
    for (int i = 0; i < ir::successors(last); ++i)
        std::replace(f.blocks[last.targets[i]].preds.begin(), f.blocks[last.targets[i]].preds.end(), block, pred);
    b.instrs.clear();
    b.preds.clear();
}

} // namespace

void simplify_branches(ir::Function& f)
{
    for (const BlockId block : ir::reverse_post_order(f))
        fold_known(f, block);
    remove_unreachable(f);
    const auto uses = count_uses(f);
    for (const BlockId block : ir::reverse_post_order(f))
        thread_jumps(f, block, uses);
    remove_unreachable(f);
    for (const BlockId block : ir::reverse_post_order(f))
        merge_into_predecessor(f, block);
}

// Removes branches whose outcome follows from an earlier branch. The earlier branch must have only one edge on which
// control can reach the later one.

namespace {

constexpr int kFarthest = 64; // maximum number of dominators in which an earlier branch is searched

/// Bits for the possible relations of two numbers: less, equal, greater.
constexpr unsigned kLess = 1, kEqual = 2, kGreater = 4, kAll = 7;

unsigned outcomes(Op cmp)
{
    switch (cmp) {
    case Op::Eq:
        return kEqual;
    case Op::Ne:
        return kLess | kGreater;
    case Op::ULt:
    case Op::SLt:
        return kLess;
    default:
        return kLess | kEqual;
    }
}

unsigned mirrored(unsigned outcomes)
{
    return (outcomes & kEqual) | (outcomes & kLess ? kGreater : 0u) | (outcomes & kGreater ? kLess : 0u);
}

bool is_signed(Op cmp)
{
    return cmp == Op::SLt || cmp == Op::SLe;
}

bool is_ordering(Op cmp)
{
    return cmp != Op::Eq && cmp != Op::Ne;
}

class Implied {
public:
    explicit Implied(ir::Function& f)
        : f_(f), order_(ir::reverse_post_order(f)), idom_(ir::immediate_dominators(f, order_))
    {
    }

    void run()
    {
        for (const BlockId block : order_) {
            const Instr& last = f_.instrs[f_.blocks[block].instrs.back()];
            if (last.op != Op::Branch || last.targets[0] == last.targets[1])
                continue;
            if (const auto holds = answer(block, last))
                replace_by_jump(f_, block, *holds ? 0 : 1);
        }
        remove_unreachable(f_);
    }

private:
    bool same(Value a, Value b) const
    {
        return a == b ||
               (f_.instrs[a].op == Op::Const && f_.instrs[b].op == Op::Const && f_.instrs[a].imm == f_.instrs[b].imm);
    }

    std::optional<bool> answer(BlockId block, const Instr& asked) const
    {
        BlockId at = block;
        for (int steps = 0; steps < kFarthest && idom_[at] != at; ++steps, at = idom_[at]) {
            if (f_.blocks[at].preds.size() != 1)
                continue;
            const Instr& before = f_.instrs[f_.blocks[f_.blocks[at].preds[0]].instrs.back()];
            if (before.op != Op::Branch || before.targets[0] == before.targets[1])
                continue;
            if (is_ordering(before.cmp) && is_ordering(asked.cmp) && is_signed(before.cmp) != is_signed(asked.cmp))
                continue;
            const bool straight = same(before.a, asked.a) && same(before.b, asked.b);
            if (!straight && !(same(before.a, asked.b) && same(before.b, asked.a)))
                continue;
            const unsigned held = before.targets[0] == at ? outcomes(before.cmp) : kAll & ~outcomes(before.cmp);
            const unsigned known = straight ? held : mirrored(held), wanted = outcomes(asked.cmp);
            if ((known & ~wanted) == 0)
                return true;
            if ((known & wanted) == 0)
                return false;
        }
        return std::nullopt;
    }

    ir::Function& f_;
    std::vector<BlockId> order_, idom_;
};

} // namespace

void drop_implied_branches(ir::Function& f)
{
    Implied(f).run();
}

} // namespace dt::opt
