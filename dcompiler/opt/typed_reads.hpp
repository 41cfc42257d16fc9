// Replaces helper calls that read kernel memory, on kernels that are locked down.
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
    uint32_t readable_cast = 0; ///< BTF id of bpf_rdonly_cast(), as World::readable_cast() returns it; 0: not usable
    /// Callback for errors about memory that programs cannot read. It receives the position in the D source and, if
    /// known, the name of the member.
    std::function<void(const Span& at, const std::string& member)> refuse;
};

/// Replaces all calls of bpf_probe_read_kernel() and bpf_probe_read_kernel_str() in the module.
void replace_kernel_reads(ir::Module& module, const KernelAccess& kernel);

} // namespace dt::opt
