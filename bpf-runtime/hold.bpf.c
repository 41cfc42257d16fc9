/* At the function that loaders call for debuggers when they have mapped a library: who is kept
 * (libdtrace/process/keeper.hpp) is stopped there.
 *
 * This is an object of its own, which no script is linked with. The signal goes to the thread itself, so it comes to
 * its tracer before the thread runs another instruction. Should the tracer be gone by then, nothing happens: it is a
 * signal that stops and ends nobody. A thread that blocks all of those is not stopped but counted. */
#include "bpf-runtime/runtime.h"

struct {
	MAP(type, 1);      /* BPF_MAP_TYPE_HASH */
	MAP(map_flags, 1); /* BPF_F_NO_PREALLOC */
	MAP(max_entries, DT_HOLD_PROCESSES);
	dt_u32 *key, *value;
} hold_processes __attribute__((section(".maps"), used)); /* who is kept */

struct {
	MAP(type, 1);
	MAP(map_flags, 1);
	MAP(max_entries, DT_HOLD_PROCESSES);
	dt_u32 *key, *value;
} hold_threads __attribute__((section(".maps"), used)); /* who was sent a signal, and which */

dt_u64 hold_unheld; /* how often there was no signal to send */

/* As far as this needs it; where the members are is found when it is loaded. */
struct task_struct {
	struct {
		unsigned long sig[1];
	} blocked;
} __attribute__((preserve_access_index));

#define URGENT 23
#define WINDOW_CHANGED 28
#define CHILD 17
#define BIT(signal) (1ULL << ((signal)-1))

__attribute__((section("uprobe"), used)) int dt_hold(void *context)
{
	const dt_u64 id = bpf_get_current_pid_tgid();
	dt_u32 process = id >> 32, thread = (dt_u32)id, signal = 0;
	const struct task_struct *task = (const struct task_struct *)bpf_get_current_task();
	dt_u64 blocked = 0;

	(void)context;
	if (!bpf_map_lookup_elem(&hold_processes, &process))
		return 0;
	bpf_probe_read_kernel(&blocked, sizeof(blocked), &task->blocked);
	if (!(blocked & BIT(URGENT)))
		signal = URGENT;
	else if (!(blocked & BIT(WINDOW_CHANGED)))
		signal = WINDOW_CHANGED;
	else if (!(blocked & BIT(CHILD)))
		signal = CHILD;
	if (signal == 0 || bpf_map_update_elem(&hold_threads, &thread, &signal, 0) || bpf_send_signal_thread(signal))
		__sync_fetch_and_add(&hold_unheld, 1);
	return 0;
}

char dt_hold_license[] __attribute__((section("license"), used)) = "GPL";
