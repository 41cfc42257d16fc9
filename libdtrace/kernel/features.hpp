// Detection of kernel features by trying them.
#pragma once

#include "dcompiler/world.hpp"

namespace dt {

/// Tries every feature once by loading and removing a few small programs, about 0.1 ms each. Features that cannot be
/// tried (no permission) keep their defaults; loading the trace reports the problem.
Features find_features();

/// Returns whether a kprobe may override the return value of its function (CONFIG_BPF_KPROBE_OVERRIDE). Tries at each
/// call.
bool can_override_return();

/// Returns whether bpf_rdonly_cast(), given as the kernel function's BTF id, makes any address readable for all program
/// types (since 6.17; before, only objects of a named type).
bool can_read_anywhere(uint32_t cast);

/// Returns whether a uprobe program may write to user memory, which a locked-down kernel refuses. Tries at each call,
/// and the kernel logs each try.
bool can_write_user_memory();

/// Returns one line that names a feature that every script needs and this kernel lacks, and the oldest kernel that has
/// it. Returns an empty string if the kernel has all of them, or if this process may not try.
std::string missing_kernel_feature();

/// Returns one line that explains why this process cannot trace and what to do, for an errno of bpf(2) or
/// perf_event_open(2). Returns an empty string if the errno does not concern the system as a whole.
std::string missing_capability(int code);

} // namespace dt
