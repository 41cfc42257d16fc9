// Simplifies branches. Known outcomes become jumps; a block that only tests a constant from its predecessor is
// bypassed; consecutive blocks are merged.
#include "dcompiler/opt/passes.hpp"
#include "dcompiler/ir/order.hpp"

#include <algorithm>
#include <optional>

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
        // The phis of the target may distinguish the two edges: do not merge them.
        const BlockId target = last.targets[0];
        const auto& instrs = f.blocks[target].instrs;
        if (!instrs.empty() && f.instrs[instrs.front()].op == Op::Phi)
            return;
        return become_jump(f, block, 0);
    }
    const auto a = constant(f, last.a), b = constant(f, last.b);
    if (!a || !b)
        return;
    become_jump(f, block, holds(last.cmp, *a, *b) ? 0 : 1);
}

bool begins_with_phi(const ir::Function& f, BlockId block)
{
    return !f.blocks[block].instrs.empty() && f.instrs[f.blocks[block].instrs.front()].op == Op::Phi;
}

/// A block with one phi, arithmetic on it and constants, and a branch that compares two of these; no other code uses
/// them.
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
    // No value of the block may be used elsewhere, because it must remain on every path.
    for (std::size_t i = 0; i + 1 < instrs.size(); ++i)
        if (uses[instrs[i]] != inside[i])
            return {};
    const Instr& last = f.instrs[instrs.back()];
    if (last.targets[0] == last.targets[1] || begins_with_phi(f, last.targets[0]) ||
        begins_with_phi(f, last.targets[1]))
        return {};
    return Decision{instrs[0], {last.targets[0], last.targets[1]}};
}

/// Returns the outcome of a decision's branch if its phi has the value `value`.
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

/// Merges a block into its only predecessor if that does nothing but jump to it.
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

} // namespace dt::opt
