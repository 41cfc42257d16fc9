// Detects kernel features by trying each of them once. The functions at the end of the file build the small BPF
// programs for this.
#pragma once

#include <cstdint>

#include "dcompiler/ebpf/insn.hpp"
#include "dcompiler/interface/world.hpp"

namespace dt {

/// Tries every feature once by loading and removing a few small programs, about 0.1 ms each. If the process lacks the
/// permission to try a feature, the feature has its default value, and loading the trace reports the problem.
Features find_features();

/// Returns whether a kprobe may override the return value of its function (CONFIG_BPF_KPROBE_OVERRIDE). Loads a program
/// at each call.
bool can_override_return();

/// Returns whether bpf_rdonly_cast() makes any address readable for all program types (since 6.17; earlier kernels
/// allow this only for objects of a named type). `cast` is the BTF id of that kernel function.
bool can_read_anywhere(uint32_t cast);

/// Returns whether a uprobe program may write to user memory, which a locked-down kernel refuses. Loads a program at
/// each call, and the kernel logs each attempt.
bool can_write_user_memory();

/// If the running kernel is too old, returns one line that names the oldest supported kernel. The test is to run a raw
/// tracepoint program on request: BEGIN needs this feature, which is the newest one that every script needs. Returns an
/// empty string if the test succeeds, or if this process lacks the permission.
std::string missing_kernel_feature();

/// Returns whether the memory of BPF maps counts toward this process's limit of locked memory. It does on Linux 5.10;
/// later kernels count it for the control group instead. Returns false if this process may not load programs.
bool maps_are_limited();

/// For an errno of bpf(2) or perf_event_open(2), returns one line that explains why this process cannot trace and what
/// to do. Returns an empty string if the errno has another cause than the process's permissions or the system's
/// configuration.
std::string missing_capability(int code);

// Detects a kernel bug that can damage processes to which uprobes are attached.

/// Returns whether a probe on a five-byte nop overwrites data that a leaf function keeps below its stack pointer. The
/// test probes a function of this program, in this process only. Returns false if the test is not possible.
bool uprobes_clobber_red_zone();

// Builder for BPF instructions, used by the small programs that detect kernel features. (Scripts are compiled by
// dcompiler/ebpf.)

constexpr bpf_insn insn(int code, int dst, int src, int off, int imm)
{
    return ebpf::encode(static_cast<uint8_t>(code), static_cast<uint8_t>(dst), static_cast<uint8_t>(src),
                        static_cast<int16_t>(off), imm);
}

constexpr bpf_insn call(int helper)
{
    return insn(BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}
constexpr bpf_insn mov(int dst, int imm)
{
    return insn(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm);
}
constexpr bpf_insn copy(int dst, int src)
{
    return insn(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}
inline constexpr bpf_insn kExit = insn(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
inline constexpr bpf_insn kSecondHalf = insn(0, 0, 0, 0, 0); ///< second half of an instruction with a 64-bit constant

} // namespace dt
