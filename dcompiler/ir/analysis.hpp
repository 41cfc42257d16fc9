// Analyses of a function that several passes share: orders and relations of its blocks, and the smallest provable
// interval of each number.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "dcompiler/ir/ir.hpp"

namespace dt::ir {

/// Returns the number of successors of a terminator: 0, 1 or 2 (2 also if both arms are the same block).
inline int successors(const Instr& last)
{
    return last.op == Op::Jump ? 1 : last.op == Op::Branch ? 2 : 0;
}

/// Returns reachable blocks, entry first, each before its successors except in loops. Blocks must have terminators.
std::vector<BlockId> reverse_post_order(const Function& function);

/// Returns the immediate dominators of the blocks in `order` (a reverse post order), by block. The dominator of the
/// entry is the entry itself; unreachable blocks have kNone.
std::vector<BlockId> immediate_dominators(const Function& function, const std::vector<BlockId>& order);

/// Visits every reachable block once in reverse post order with the data-flow state at its start. `visit(block, state)`
/// updates the state to the block's end, and `meet(state, other)` reduces `state` to what both states have in common.
/// The entry starts with State{}; blocks that were not visited (the end of a loop, unreachable code) have the state
/// `unknown`. The time is linear in the number of blocks and edges.
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
/// Returns the comparison that holds exactly if the given one does not.
Test negated(Test test);

class Ranges {
public:
    /// Computes the ranges of all values in one sweep in reverse post order. The function must have a valid structure
    /// and outlive the object.
    explicit Ranges(const Function& function);

    /// Returns the range that the value has in the whole function. For a value that a pass creates after this analysis,
    /// returns the range stored in its instruction.
    Range of(Value value) const { return value < ranges_.size() ? ranges_[value] : f_.instrs[value].range; }

    /// Returns the range that holds in `block`, given the branches on the path to it. The time is the depth of the
    /// dominator tree, multiplied by the number of operands on which the value's range depends.
    Range at(Value value, BlockId block) const { return at(value, block, kDepth); }

    /// Returns whether `block` is certainly never reached, because a test on the path cannot have the required outcome.
    bool never_reached(BlockId block) const;

private:
    static constexpr int kDepth = 6; // maximum number of levels to which operands of operands are followed
    Range at(Value value, BlockId block, int depth) const;
    Range refine(Value value, BlockId block, Range range) const;
    Range compute(const Instr& instr, Range a, Range b) const;
    std::optional<Test> test_before(BlockId block) const;
    const Function& f_;
    std::vector<Range> ranges_;
    std::vector<BlockId> idom_;
};

} // namespace dt::ir
