// What is done when memory could not be read (asking once more, telling the fault) is most of a program's code and
// hardly ever run. Laid out behind the rest it keeps off the cache lines and the jumps of what always runs: a probe's
// code is cold when an event comes, and each of its lines is waited for.
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
        a.op == Op::Load && function.instrs[a.a].op == Op::Readable; // 0: perhaps it cannot be read
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
            function.blocks[block].preds; // one behind it in a loop counts as often: it is not known yet
        seldom[block] = function.blocks[block].is_seldom ||
                        (!preds.empty() && std::all_of(preds.begin(), preds.end(),
                                                       [&](ir::BlockId from) { return is_seldom_from(from, block); }));
    }
    return seldom;
}

} // namespace dt::ebpf
