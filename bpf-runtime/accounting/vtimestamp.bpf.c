/* vtimestamp: the nanoseconds that a thread has run on a CPU. The scheduler updates its sum of run time only at
 * ticks and switches. So the time since the thread was put on this CPU is measured by the clock, and the time before
 * that is the scheduler's sum. */
#include "bpf-runtime/runtime.h"

/* Data of one CPU. A separate program writes it at each context switch (dcompiler/lower/core/helper_programs.cpp). */
struct on_cpu {
	dt_u64 task;  /* address of the task_struct of the thread that was put on the CPU last */
	dt_u64 had;   /* the task's se.sum_exec_runtime when the task was put on the CPU */
	dt_u64 since; /* time when the task was put on the CPU */
};

/* Returns the thread's vtimestamp. `runtime` is the address of the task's se.sum_exec_runtime. */
DT_HIDDEN dt_u64 dt_vtimestamp(dt_u64 cpu, dt_u64 task, dt_u64 runtime)
{
	volatile struct on_cpu *on_cpu = (struct on_cpu *)cpu;
	dt_u64 now = bpf_ktime_get_ns(), had = 0, since;

	if (on_cpu->task != task) { /* the thread has run on this CPU since before tracing began */
		bpf_probe_read_kernel(&had, sizeof(had), (const void *)runtime);
		on_cpu->task = task;
		on_cpu->had = had;
		on_cpu->since = now;
	}
	had = on_cpu->had;
	since = on_cpu->since;
	return since < now ? had + (now - since)
	                   : had; /* the thread was put on the CPU again after `now` was read, so the scheduler's sum is
                              current */
}
