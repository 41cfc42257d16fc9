// Detection of cold blocks. Instruction selection marks them, so that their code follows the code that always runs.
#pragma once

#include <vector>

#include "dcompiler/ir/ir.hpp"

namespace dt::ebpf {

/// Returns the rarely taken edge of a branch, 0 or 1, or -1 if neither edge is known to be rare.
int cold_edge(const ir::Function& function, const ir::Instr& branch);

/// Returns which blocks are cold: those marked by lowering, and those reached only through rarely taken edges. `order`
/// is a reverse post order.
std::vector<bool> cold_blocks(const ir::Function& function, const std::vector<ir::BlockId>& order);

} // namespace dt::ebpf
