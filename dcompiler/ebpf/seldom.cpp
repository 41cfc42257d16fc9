// Finds cold blocks. The code that handles failed reads (a retry, the fault report) is most of a program and hardly
// ever runs. At the end of the layout it does not share cache lines with, or add jumps to, the code that always runs.
// That matters because a probe's code is usually not in the cache when an event comes.
#include "dcompiler/ebpf/seldom.hpp"

#include <algorithm>

#include "dcompiler/ir/bpf.hpp"

namespace dt::ebpf {

using ir::Instr;
using ir::Op;

namespace {

bool is_probe_read(const Instr& instr)
{
    constexpr int64_t kReads[] = {ir::bpf::kProbeReadUser, ir::bpf::kProbeReadKernel, ir::bpf::kProbeReadUserStr,
                                  ir::bpf::kProbeReadKernelStr};
    return instr.op == Op::CallHelper && std::find(std::begin(kReads), std::end(kReads), instr.imm) != std::end(kReads);
}

} // namespace

int seldom_edge(const ir::Function& function, const Instr& branch)
{
    if (branch.op != Op::Branch || branch.targets[0] == branch.targets[1])
        return -1;
    const Instr &a = function.instrs[branch.a], &b = function.instrs[branch.b];
    if (b.op != Op::Const || b.imm != 0)
        return -1;
    const bool is_anywhere =
        a.op == Op::Load && function.instrs[a.a].op == Op::Readable; // 0: the address may not be readable
    if (branch.cmp == Op::Eq && (is_anywhere || is_probe_read(a)))
        return is_anywhere ? 0 : 1;
    if (branch.cmp == Op::Ne && (is_anywhere || is_probe_read(a)))
        return is_anywhere ? 1 : 0;
    return branch.cmp == Op::SLt && is_probe_read(a) ? 0 : -1;
}

std::vector<bool> seldom_blocks(const ir::Function& function, const std::vector<ir::BlockId>& order)
{
    std::vector<bool> seldom(function.blocks.size(), false);
    const auto is_seldom_from = [&](ir::BlockId from, ir::BlockId to) {
        const Instr& last = function.instrs[function.blocks[from].instrs.back()];
        const int edge = seldom_edge(function, last);
        return seldom[from] || (edge >= 0 && last.targets[edge] == to);
    };
    for (const ir::BlockId block : order) {
        const auto& preds =
            function.blocks[block].preds; // a later predecessor in a loop is not known yet and counts as hot
        seldom[block] = function.blocks[block].is_seldom ||
                        (!preds.empty() && std::all_of(preds.begin(), preds.end(),
                                                       [&](ir::BlockId from) { return is_seldom_from(from, block); }));
    }
    return seldom;
}

} // namespace dt::ebpf
