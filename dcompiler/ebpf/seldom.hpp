// Which blocks of a function seldom run.
#pragma once

#include <vector>

#include "dcompiler/ir/ir.hpp"

namespace dt::ebpf {

/// The edge of a branch that is seldom taken: 0 or 1; -1 when nothing is known.
int seldom_edge(const ir::Function& function, const ir::Instr& branch);

/// By block: lowering said so, or it is reached over such edges only. `order`: a reverse post order.
std::vector<bool> seldom_blocks(const ir::Function& function, const std::vector<ir::BlockId>& order);

} // namespace dt::ebpf
