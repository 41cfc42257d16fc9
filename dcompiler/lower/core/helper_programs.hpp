// Programs that contain no clauses. They report enabled probes to a process, update the set of followed processes,
// delete data of ended threads, record data for vtimestamp, or end a pinned trace whose tracer is gone. Also code by
// which the programs of slow timer probes count their runs.
#pragma once

#include <functional>
#include <string>

#include "dcompiler/lower/core/functions.hpp"

namespace dt::lower {

/// Adds a finished function as a program that is attached as `plan` describes, to support the given probes.
void add_helper_program(ModuleLowering& module, ir::Function function, std::shared_ptr<const AttachPlan> plan,
                        const std::vector<PlannedProbe>& probes);

/// Adds a program at a kernel tracepoint, named by `prefix` and the tracepoint, with code that `fill` emits. Adds
/// nothing if the kernel lacks the tracepoint, or if an earlier object of the trace contains the program.
void add_tracepoint_program(ModuleLowering& module, const std::string& prefix, const std::string& tracepoint,
                            ProgramKind kind, const std::function<void(ir::Builder&)>& fill);

/// Adds the program that answers the question of a process whether the plan's probes are enabled
/// (AttachPlan::is_enabled_probe).
void add_is_enabled_program(ModuleLowering& module, const AttachPlan& plan);

// Set of the processes that are traced together with the process of -c or -p (-x followchildren), in kernel memory.

/// Yields the id of the -c or -p process from which the followed `process` descends. Control goes to `leave` if
/// `process` is not followed.
ir::Value origin_of(ModuleLowering& module, ir::Builder& b, ir::Value process, ir::BlockId leave);

/// Adds the programs that update the set of followed processes at fork, exec and exit. Reports an error if the kernel's
/// types lack members that these programs read.
void add_follow_programs(ModuleLowering& module);

/// Adds the program that deletes the data of ended threads from hash maps, on kernels without task storage
/// (atomics.cpp).
void add_thread_program(ModuleLowering& module);

/// Yields the state in which the thread `previous` stops running; 0 if it was preempted. Used in programs at
/// sched_switch(bool preempt, struct task_struct *prev, struct task_struct *next, unsigned int prev_state). Before
/// Linux 5.18 the tracepoint has no last argument, and the state is read from the thread.
ir::Value state_at_switch(ModuleLowering& module, ir::Builder& b, ir::Value previous);

// Data for the variable vtimestamp. It is updated whenever a CPU switches to another thread.

inline constexpr const char* kOnCpuProgram = "dt_program_on_cpu";

/// Name of the per-CPU map with struct on_cpu, which bpf-runtime/accounting/vtimestamp.bpf.c defines.
inline constexpr const char* kOnCpuMap = "on_cpu";
inline constexpr uint32_t kOnCpuSize = 24;
inline constexpr const char* kRuntimeMember = "se.sum_exec_runtime";

/// Adds the program that records data for vtimestamp when a CPU switches to another thread: which thread begins to run,
/// the time, and the thread's CPU time so far. The program belongs to no probe.
void add_on_cpu_program(ModuleLowering& module);

// A pinned trace (-x pin) outlives its tracer. It stops if no tracer has attended it for too long.

/// Adds a program that a kernel timer runs every second. When the time dt_state.lease has passed, this program ends the
/// trace, and the other programs record nothing any more.
void add_pin_timeout_program(ModuleLowering& module);

// Programs of slow timer probes (tick) count their runs in memory that the tracer maps. The kernel does not report a
// run that it has skipped, but the tracer sees it in this count.

/// Emits code that increments dt_tick::ran, the number of runs of a timer probe's program. If the number has already
/// reached dt_tick::limit, control goes to `leave` instead. Returns the index of the dt_tick, for ProgramPlan::tick.
uint32_t count_tick(ModuleLowering& module, ir::Builder& b, ir::BlockId leave);

} // namespace dt::lower
