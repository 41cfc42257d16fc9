// Creates machine blocks for IR blocks, and for edges on which phis need copies.
#include "dcompiler/ebpf/seldom.hpp"
#include "dcompiler/ebpf/select.hpp"

namespace dt::ebpf {

bool Selector::has_phi(ir::BlockId block) const
{
    const auto& instrs = f_.blocks[block].instrs;
    return !instrs.empty() && at(instrs.front()).op == Op::Phi;
}

// Numbers the blocks. An edge from a block with two successors to a block with phis and several predecessors gets a
// block of its own for the copies.
void Selector::plan_blocks()
{
    order_ = ir::reverse_post_order(f_);
    mblock_.assign(f_.blocks.size(), ir::kNone);
    edge_.assign(f_.blocks.size(), {ir::kNone, ir::kNone});
    uint32_t next = 0;
    for (ir::BlockId block : order_) {
        mblock_[block] = next++;
        const Instr& last = at(f_.blocks[block].instrs.back());
        if (last.op == Op::Branch)
            for (int edge = 0; edge < 2; ++edge)
                if (has_phi(last.targets[edge]) && f_.blocks[last.targets[edge]].preds.size() > 1)
                    edge_[block][edge] = next++;
    }
    out_.blocks.resize(next);
    const std::vector<bool> seldom = seldom_blocks(f_, order_);
    for (ir::BlockId block : order_) {
        out_.blocks[mblock_[block]].is_seldom = seldom[block];
        const Instr& last = at(f_.blocks[block].instrs.back());
        for (int edge = 0; edge < 2; ++edge)
            if (edge_[block][edge] != ir::kNone)
                out_.blocks[edge_[block][edge]].is_seldom =
                    seldom[block] || seldom[last.targets[edge]] || seldom_edge(f_, last) == edge;
    }
}

void Selector::connect(uint32_t from, uint32_t to)
{
    out_.blocks[from].succs.push_back(to);
    out_.blocks[to].preds.push_back(from);
}

// Returns the machine block of an edge's target, and fills the block of a split edge.
uint32_t Selector::edge_target(ir::BlockId from, int edge)
{
    const ir::BlockId to = at(f_.blocks[from].instrs.back()).targets[edge];
    const uint32_t split = edge_[from][edge];
    if (split == ir::kNone)
        return mblock_[to];
    const uint32_t back = current_;
    current_ = split;
    const auto kept = std::move(made_);
    made_.clear();
    phi_copies(from, edge);
    emit({.kind = MInsn::Kind::Jump, .targets = {mblock_[to], 0}});
    connect(split, mblock_[to]);
    current_ = back;
    made_ = kept;
    return split;
}

} // namespace dt::ebpf
