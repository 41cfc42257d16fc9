// Walks over blocks, iterative: a clause may have thousands of them.
#include "dcompiler/ir/order.hpp"

#include <algorithm>

namespace dt::ir {

std::vector<BlockId> reverse_post_order(const Function& function)
{
    struct Visit {
        BlockId block;
        int next;
    };
    std::vector<BlockId> order;
    if (function.blocks.empty())
        return order;
    std::vector<bool> seen(function.blocks.size(), false);
    std::vector<Visit> stack{{0, 0}};
    seen[0] = true;
    while (!stack.empty()) {
        Visit& top = stack.back();
        const Instr& last = function.instrs[function.blocks[top.block].instrs.back()];
        if (top.next == successors(last)) {
            order.push_back(top.block);
            stack.pop_back();
            continue;
        }
        const BlockId to = last.targets[top.next++];
        if (!seen[to]) {
            seen[to] = true;
            stack.push_back({to, 0});
        }
    }
    std::reverse(order.begin(), order.end());
    return order;
}

// Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm": walk up two fingers until they meet; one or two
// rounds in practice.
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
