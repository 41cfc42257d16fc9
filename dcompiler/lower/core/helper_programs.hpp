// Programs that contain no clauses. They support probes, answer is-enabled checks, update the set of followed
// processes, record the data of vtimestamp, end a pinned trace without a tracer, or count ticks.
#pragma once

#include <functional>
#include <string>

#include "dcompiler/lower/core/functions.hpp"

namespace dt::lower {

/// Adds a finished function as a program of `plan`. The program supports the given probes.
void add_helper_program(ModuleLowering& module, ir::Function function, std::shared_ptr<const AttachPlan> plan,
                        const std::vector<PlannedProbe>& probes);

/// Adds a program at a kernel tracepoint, named by `prefix` and the tracepoint, with code that `fill` emits. Adds
/// nothing if the kernel lacks the tracepoint or an earlier object of the run contains the program.
void add_tracepoint_program(ModuleLowering& module, const std::string& prefix, const std::string& tracepoint,
                            ProgramKind kind, const std::function<void(ir::Builder&)>& fill);

/// Adds the program that answers is-enabled checks of a process for the plan's probes (AttachPlan::is_enabled_probe).
void add_is_enabled_program(ModuleLowering& module, const AttachPlan& plan);

// Set of processes in the kernel that are traced together with the process of -c or -p (-x followchildren).

/// Yields the process of -c or -p from which the followed `process` descends. Control goes to `leave` if `process` is
/// not followed.
ir::Value origin_of(ModuleLowering& module, ir::Builder& b, ir::Value process, ir::BlockId leave);

/// Adds the programs that update the set at fork, exec and exit. Reports an error if the kernel's types lack the
/// members that they read.
void add_follow_programs(ModuleLowering& module);

/// Adds the program that deletes the elements of ended threads, if hashes replace task storage (thread_storage.cpp).
void add_thread_program(ModuleLowering& module);

/// Yields the state in which the thread `previous` stops running, in a program at sched_switch(bool preempt, struct
/// task_struct *prev, struct task_struct *next, unsigned int prev_state). The state is 0 if the thread was preempted.
/// Before Linux 5.18 the tracepoint has no last argument, and the state is read from the thread.
ir::Value state_at_switch(ModuleLowering& module, ir::Builder& b, ir::Value previous);

// Data for vtimestamp that is updated whenever a CPU switches threads.

inline constexpr const char* kOnCpuProgram = "dt_program_on_cpu";

/// Per-CPU map with struct on_cpu of bpf-runtime/accounting/vtimestamp.bpf.c.
inline constexpr const char* kOnCpuMap = "on_cpu";
inline constexpr uint32_t kOnCpuSize = 24;
inline constexpr const char* kRuntimeMember = "se.sum_exec_runtime";

/// Adds the program that records which thread is put on a CPU, the time of the switch, and the thread's CPU time so
/// far. The program belongs to no probe.
void add_on_cpu_program(ModuleLowering& module);

// Stops a pinned trace (-x pin) that no tracer has attended for too long.

/// Adds a program that a kernel timer runs every second. After the point in time dt_state.lease, this program ends the
/// trace, so that no other program of the trace records anything.
void add_pin_timeout_program(ModuleLowering& module);

// Programs of timer probes (tick) count their runs in memory that the tracer maps. From this count the tracer
// recognises whether the kernel has skipped a run, which the kernel does not report.

/// Emits code that increments the number of runs of a timer probe's program (dt_tick::ran). If the number has reached
/// dt_tick::limit, the code goes to `leave` instead. Returns the index of the dt_tick, for ProgramPlan::tick.
uint32_t count_tick(ModuleLowering& module, ir::Builder& b, ir::BlockId leave);

} // namespace dt::lower
