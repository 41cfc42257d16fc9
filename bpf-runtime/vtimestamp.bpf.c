/* vtimestamp: nanoseconds a thread has been on a CPU. The scheduler accounts for that at ticks and switches only, so
 * the time since the thread was put on this CPU is measured by the clock, and what it had before comes from the
 * scheduler. */
#include "bpf-runtime/runtime.h"

/* Of one CPU; written at each switch by a program of its own (dcompiler/lower/on_cpu.cpp). */
struct on_cpu {
	dt_u64 task;  /* struct task_struct * */
	dt_u64 had;   /* its se.sum_exec_runtime when it was put on the CPU */
	dt_u64 since; /* when that was */
};

/* `runtime` is the address of the task's se.sum_exec_runtime. */
DT_HIDDEN dt_u64 dt_vtimestamp(dt_u64 cpu, dt_u64 task, dt_u64 runtime)
{
	volatile struct on_cpu *on_cpu = (struct on_cpu *)cpu;
	dt_u64 now = bpf_ktime_get_ns(), had = 0, since;

	if (on_cpu->task != task) { /* on this CPU since before tracing began */
		bpf_probe_read_kernel(&had, sizeof(had), (const void *)runtime);
		on_cpu->task = task;
		on_cpu->had = had;
		on_cpu->since = now;
	}
	had = on_cpu->had;
	since = on_cpu->since;
	return since < now ? had + (now - since)
	                   : had; /* put on the CPU again since `now` was taken: then the sum is as new */
}
