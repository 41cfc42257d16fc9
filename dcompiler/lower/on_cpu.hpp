// What vtimestamp needs at each switch of a CPU from one thread to another.
#pragma once

#include "dcompiler/lower/module.hpp"

namespace dt::lower {

inline constexpr const char* kOnCpuProgram = "dt_program_on_cpu";

/// Per CPU: struct on_cpu of bpf-runtime/vtimestamp.bpf.c.
inline constexpr const char* kOnCpuMap = "on_cpu";
inline constexpr uint32_t kOnCpuSize = 24;
inline constexpr const char* kRuntimeMember = "se.sum_exec_runtime";

/// Adds the program that notes, when a thread is put on a CPU, which, when, and what time it had before. It serves no
/// probe.
void add_on_cpu_program(ModuleLowering& module);

} // namespace dt::lower
