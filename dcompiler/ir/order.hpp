// Orders and relations of a function's blocks that several passes need.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "dcompiler/ir/ir.hpp"

namespace dt::ir {

/// Successors of a terminator: 0, 1 or 2 (a branch whose arms are the same block has 2).
inline int successors(const Instr& last)
{
    return last.op == Op::Jump ? 1 : last.op == Op::Branch ? 2 : 0;
}

/// Reachable blocks, entry first, every block before its successors but for loops. Blocks must have terminators.
std::vector<BlockId> reverse_post_order(const Function& function);

/// Immediate dominators of the blocks in `order` (a reverse post order), by block; the entry's is itself, unreachable
/// ones have kNone.
std::vector<BlockId> immediate_dominators(const Function& function, const std::vector<BlockId>& order);

/// Visits every reachable block once, in reverse post order, with what holds where it begins, which `visit(block,
/// state)` makes what holds where it ends. Where ways come together `meet(state, other)` leaves what both have. Where
/// the function begins State{} holds; behind a block that has not been visited (a loop's end, unreachable code)
/// `unknown`. Linear in blocks and edges.
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

} // namespace dt::ir
