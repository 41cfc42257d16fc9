// Detection of cold blocks, which rarely run. Instruction selection marks them, so that their code is placed behind the
// code that always runs.
#pragma once

#include <vector>

#include "dcompiler/ir/ir.hpp"

namespace dt::ebpf {

/// Returns which edge of a branch is rarely taken (0 or 1), or -1 if that is not known.
int cold_edge(const ir::Function& function, const ir::Instr& branch);

/// Returns for each block whether it is cold: marked so by lowering, or reached only through rarely taken edges.
/// `order` is a reverse postorder.
std::vector<bool> cold_blocks(const ir::Function& function, const std::vector<ir::BlockId>& order);

} // namespace dt::ebpf
