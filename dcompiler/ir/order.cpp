// Computes orders of blocks without recursion, because a clause may have thousands of blocks.
#include "dcompiler/ir/order.hpp"

#include <algorithm>

namespace dt::ir {

std::vector<BlockId> reverse_post_order(const Function& function)
{
    struct Visit {
        BlockId block;
        int next;
        const Instr* last; // cached, because repeated lookups took a fifth of the compile time
    };
    std::vector<BlockId> order;
    if (function.blocks.empty())
        return order;
    std::vector<uint8_t> seen(function.blocks.size(), 0);
    std::vector<Visit> stack;
    const auto visit = [&](BlockId block) {
        seen[block] = 1;
        stack.push_back({block, 0, &function.instrs[function.blocks[block].instrs.back()]});
    };
    stack.reserve(function.blocks.size());
    order.reserve(function.blocks.size());
    visit(0);
    while (!stack.empty()) {
        Visit& top = stack.back();
        if (top.next == successors(*top.last)) {
            order.push_back(top.block);
            stack.pop_back();
            continue;
        }
        const BlockId to = top.last->targets[top.next++];
        if (seen[to] == 0)
            visit(to);
    }
    std::reverse(order.begin(), order.end());
    return order;
}

// Algorithm by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm": two pointers walk up the tree until
// they meet. One or two rounds in practice.
std::vector<BlockId> immediate_dominators(const Function& function, const std::vector<BlockId>& order)
{
    std::vector<BlockId> idom(function.blocks.size(), kNone);
    std::vector<uint32_t> place(function.blocks.size(), 0);
    for (uint32_t i = 0; i < order.size(); ++i)
        place[order[i]] = i;
    if (order.empty())
        return idom;
    idom[order.front()] = order.front();
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 1; i < order.size(); ++i) {
            BlockId best = kNone;
            for (BlockId pred : function.blocks[order[i]].preds) {
                if (idom[pred] == kNone)
                    continue;
                if (best == kNone) {
                    best = pred;
                    continue;
                }
                BlockId other = pred;
                while (best != other) {
                    while (place[best] > place[other])
                        best = idom[best];
                    while (place[other] > place[best])
                        other = idom[other];
                }
            }
            if (idom[order[i]] != best) {
                idom[order[i]] = best;
                changed = true;
            }
        }
    }
    return idom;
}

} // namespace dt::ir
