// The list of passes, and the edits of a function's graph that several of them make.
#include "dcompiler/opt/passes.hpp"
#include "dcompiler/ir/order.hpp"

#include <algorithm>

#include "dcompiler/ir/bpf.hpp"

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

bool is_terminator(Op op)
{
    return op == Op::Jump || op == Op::Branch || op == Op::Return;
}

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
        return i.imm == ir::bpf::kGetCurrentPidTgid || i.imm == ir::bpf::kGetCurrentUidGid || i.imm == ir::bpf::kGetCurrentTask ||
               i.imm == ir::bpf::kGetCurrentTaskBtf || i.imm == ir::bpf::kGetSmpProcessorId || i.imm == ir::bpf::kTaskPtRegs;
    default:
        return false;
    }
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
    for (const BlockId block : ir::reverse_post_order(f))
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
