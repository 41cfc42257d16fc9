// What this kernel can do, found out by trying.
#pragma once

#include "dcompiler/world.hpp"

namespace dt {

/// Tries every feature once: a few tiny programs are loaded and dropped again, about 0.1 ms each. What cannot be tried
/// (no permission) keeps its default; the session reports that when it loads.
Features find_features();

/// Whether a kprobe may answer in place of the function it is attached to (CONFIG_BPF_KPROBE_OVERRIDE). Tried at each
/// call.
bool can_override_return();

/// Whether bpf_rdonly_cast(), the kernel's function of that number, makes any address one that programs of every kind
/// may load from (6.17; before, only an object of a type that is named).
bool can_read_anywhere(uint32_t cast);

/// Whether a program at an instruction of a process may write to its memory: not where the kernel is locked down. Tried
/// at each call, which the kernel notes in its log.
bool can_write_user_memory();

/// Returns one line that names a feature that every script needs and this kernel lacks, and the oldest kernel that has
/// it. Empty: the kernel has all of them, or this process may not try.
std::string missing_kernel_feature();

/// The one line that tells a person why this process cannot trace and what to do, for an errno of bpf(2) or
/// perf_event_open(2); empty when the errno says nothing about the machine as a whole.
std::string missing_capability(int code);

} // namespace dt
