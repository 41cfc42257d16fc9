// Data for vtimestamp that is updated whenever a CPU switches threads.
#pragma once

#include "dcompiler/lower/module.hpp"

namespace dt::lower {

inline constexpr const char* kOnCpuProgram = "dt_program_on_cpu";

/// Per-CPU map with struct on_cpu of bpf-runtime/vtimestamp.bpf.c.
inline constexpr const char* kOnCpuMap = "on_cpu";
inline constexpr uint32_t kOnCpuSize = 24;
inline constexpr const char* kRuntimeMember = "se.sum_exec_runtime";

/// Adds the program that records the thread put on a CPU, the time of the switch, and the thread's CPU time so far. It
/// belongs to no probe.
void add_on_cpu_program(ModuleLowering& module);

} // namespace dt::lower
