// Replaces reads of kernel memory by helpers, for kernels that are locked down.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "dcompiler/interface/diagnostics.hpp"
#include "dcompiler/ir/ir.hpp"
#include "dcompiler/opt/object_members.hpp"

namespace dt::opt {

struct KernelAccess {
    ObjectMembers& members;
    uint32_t readable_cast = 0; ///< BTF id of bpf_rdonly_cast(), as in World::readable_cast(); 0: not usable
    /// Callback for errors about memory that cannot be read. It receives the position in the D source, and the name of
    /// the member if it is known.
    std::function<void(const Span& at, const std::string& member)> refuse;
};

/// Replaces all calls of bpf_probe_read_kernel() and bpf_probe_read_kernel_str() in the module.
void replace_kernel_reads(ir::Module& module, const KernelAccess& kernel);

} // namespace dt::opt
