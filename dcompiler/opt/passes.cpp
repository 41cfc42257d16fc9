#include "dcompiler/opt/passes.hpp"

#include <algorithm>

#include "dcompiler/lower/helpers.hpp"

namespace dt {

void optimise(ir::Module& module, int level, uint32_t reach)
{
    for (ir::Function& f : module.functions) {
        opt::remove_unreachable(f);
        if (level == 0)
            continue;
        opt::fold(f);
        opt::simplify_branches(f);
        opt::common_subexpressions(f, reach);
        opt::fold(f);
        opt::simplify_branches(f);
        opt::straighten_comparisons(f);
        opt::remove_dead_code(f);
    }
    if (level != 0)
        opt::share_replaced_calls(module);
}

namespace opt {

using ir::BlockId;
using ir::Op;

bool is_terminator(Op op) { return op == Op::Jump || op == Op::Branch || op == Op::Return; }

bool is_pure(const ir::Instr& i)
{
    switch (i.op) {
    case Op::Const:
    case Op::Param:
    case Op::StackAddr:
    case Op::MapRef:
    case Op::DataAddr:
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::UDiv:
    case Op::UMod:
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Shl:
    case Op::LShr:
    case Op::AShr:
    case Op::Neg:
    case Op::NonNull:
    case Op::SExt:
    case Op::ZExt:
    case Op::BSwap:
    case Op::Eq:
    case Op::Ne:
    case Op::ULt:
    case Op::ULe:
    case Op::SLt:
    case Op::SLe:
        return true;
    case Op::CallHelper: // who is running does not change while a program runs
        return i.imm == lower::kGetCurrentPidTgid || i.imm == lower::kGetCurrentUidGid || i.imm == lower::kGetCurrentTask ||
               i.imm == lower::kGetCurrentTaskBtf || i.imm == lower::kGetSmpProcessorId || i.imm == lower::kTaskPtRegs;
    default:
        return false;
    }
}

std::vector<BlockId> reverse_postorder(const ir::Function& f)
{
    // Iterative: a clause may have thousands of blocks.
    std::vector<uint8_t> state(f.blocks.size(), 0);
    std::vector<std::pair<BlockId, int>> work{{0, 0}};
    std::vector<BlockId> order;
    state[0] = 1;
    while (!work.empty()) {
        auto& [block, next] = work.back();
        const ir::Block& b = f.blocks[block];
        const ir::Instr* last = b.instrs.empty() ? nullptr : &f.instrs[b.instrs.back()];
        const int count = !last ? 0 : last->op == Op::Branch ? 2 : last->op == Op::Jump ? 1 : 0;
        if (next == count) {
            order.push_back(block);
            work.pop_back();
            continue;
        }
        const BlockId to = last->targets[next++];
        if (!state[to]) {
            state[to] = 1;
            work.emplace_back(to, 0);
        }
    }
    std::reverse(order.begin(), order.end());
    return order;
}

std::vector<BlockId> dominators(const ir::Function& f, const std::vector<BlockId>& order)
{
    std::vector<uint32_t> position(f.blocks.size(), ir::kNone);
    for (uint32_t i = 0; i < order.size(); ++i)
        position[order[i]] = i;
    std::vector<BlockId> idom(f.blocks.size(), ir::kNone);
    idom[0] = 0;
    // Without loops every predecessor is done before its successor: one sweep is enough.
    for (const BlockId block : order) {
        if (block == 0)
            continue;
        BlockId common = ir::kNone;
        for (const BlockId pred : f.blocks[block].preds) {
            if (position[pred] == ir::kNone)
                continue;
            if (common == ir::kNone) {
                common = pred;
                continue;
            }
            BlockId other = pred;
            while (common != other) {
                while (position[common] > position[other])
                    common = idom[common];
                while (position[other] > position[common])
                    other = idom[other];
            }
        }
        idom[block] = common;
    }
    return idom;
}

void remove_edge(ir::Function& f, BlockId from, BlockId to)
{
    ir::Block& target = f.blocks[to];
    const auto found = std::find(target.preds.begin(), target.preds.end(), from);
    if (found == target.preds.end())
        return;
    const auto index = found - target.preds.begin();
    target.preds.erase(found);
    for (const ir::Value v : target.instrs) {
        ir::Instr& i = f.instrs[v];
        if (i.op == Op::Phi && index < static_cast<std::ptrdiff_t>(i.args.size()))
            i.args.erase(i.args.begin() + index);
    }
}

void remove_unreachable(ir::Function& f)
{
    std::vector<bool> reached(f.blocks.size(), false);
    for (const BlockId block : reverse_postorder(f))
        reached[block] = true;
    for (BlockId block = 0; block < f.blocks.size(); ++block) {
        if (reached[block])
            continue;
        ir::Block& b = f.blocks[block];
        if (!b.instrs.empty()) {
            const ir::Instr& last = f.instrs[b.instrs.back()];
            if (last.op == Op::Jump || last.op == Op::Branch)
                remove_edge(f, block, last.targets[0]);
            if (last.op == Op::Branch)
                remove_edge(f, block, last.targets[1]);
        }
        b.instrs.clear();
        b.preds.clear();
    }
}

} // namespace opt
} // namespace dt
