// Analyses of a function that several passes share: orders of its blocks, dominance, and the smallest provable interval
// of each number.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "dcompiler/ir/ir.hpp"

namespace dt::ir {

/// Returns the number of successors of a terminator: 0, 1 or 2 (2 also if both are the same block).
inline int successors(const Instr& last)
{
    return last.op == Op::Jump ? 1 : last.op == Op::Branch ? 2 : 0;
}

/// Returns the reachable blocks: the entry first, and each before its successors, except in loops. All blocks must have
/// terminators.
std::vector<BlockId> reverse_post_order(const Function& function);

/// Returns the immediate dominator of each block in `order` (a reverse postorder), by block. That of the entry is the
/// entry itself; for unreachable blocks it is kNone.
std::vector<BlockId> immediate_dominators(const Function& function, const std::vector<BlockId>& order);

/// Visits each reachable block once, in reverse postorder, with the data-flow state at its start. `visit(block, state)`
/// changes the state to that at the block's end. `meet(state, other)` reduces `state` to what both states have in
/// common. The entry starts with State{}. Blocks that were not visited yet (the end of a loop, unreachable code) have
/// the state `unknown`. Takes linear time.
template <typename State, typename Meet, typename Visit>
void flow_forward(const Function& function, const State& unknown, Meet meet, Visit visit)
{
    std::vector<State> after(function.blocks.size(), unknown);
    for (const BlockId block : reverse_post_order(function)) {
        State state{};
        const auto& preds = function.blocks[block].preds;
        for (std::size_t i = 0; i < preds.size(); ++i)
            i == 0 ? static_cast<void>(state = after[preds[0]]) : meet(state, after[preds[i]]);
        visit(block, state);
        after[block] = std::move(state);
    }
}

/// A comparison of two values that decides a branch.
struct Test {
    Op cmp = Op::Eq;
    Value a = kNone, b = kNone;
};
/// Returns the opposite comparison.
Test negated(Test test);

class Ranges {
public:
    /// Computes the ranges of all values in one sweep in reverse post order. The function must have a valid structure
    /// and outlive the object.
    explicit Ranges(const Function& function);

    /// Returns the range of a value that holds in the whole function. For a value that a pass has created after this
    /// analysis, that is the range stored in its instruction.
    Range of(Value value) const { return value < ranges_.size() ? ranges_[value] : f_.instrs[value].range; }

    /// Returns the range that a value has in `block`, where the branches on the path to the block are known. The time
    /// is the depth of the dominator tree, multiplied by the number of operands on which the value's range depends.
    Range at(Value value, BlockId block) const { return at(value, block, kDepth); }

    /// Returns whether control certainly never reaches `block`, because a test before it always has the other outcome.
    bool never_reached(BlockId block) const;

private:
    static constexpr int kDepth = 6; // maximum depth to which the operands of a value are followed
    Range at(Value value, BlockId block, int depth) const;
    Range refine(Value value, BlockId block, Range range) const;
    Range compute(const Instr& instr, Range a, Range b) const;
    std::optional<Test> test_before(BlockId block) const;
    const Function& f_;
    std::vector<Range> ranges_;
    std::vector<BlockId> idom_;
};

} // namespace dt::ir
