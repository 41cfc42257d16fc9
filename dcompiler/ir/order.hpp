// Orders and relations of a function's blocks that several passes need.
#pragma once

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

/// Immediate dominators of the blocks in `order` (a reverse post order), by block; the entry's is itself, unreachable ones have kNone.
std::vector<BlockId> immediate_dominators(const Function& function, const std::vector<BlockId>& order);

} // namespace dt::ir
