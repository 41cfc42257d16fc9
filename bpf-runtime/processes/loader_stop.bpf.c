/* Stops traced processes (libdtrace/process/mapping_gate.hpp) in the function that dynamic loaders call for debuggers
 * after mapping a library.
 *
 * This is a separate BPF object that is never linked with a script. The signal is sent to the thread itself, so its
 * tracer receives it before the thread executes another instruction. If the tracer has ended, the signal has no effect,
 * because the signal's default action is to be ignored. A thread that blocks all three signals is not stopped but
 * counted. */
#include "bpf-runtime/runtime.h"

struct {
	MAP(type, 1);      /* BPF_MAP_TYPE_HASH */
	MAP(map_flags, 1); /* BPF_F_NO_PREALLOC */
	MAP(max_entries, DT_LOADER_STOP_PROCESSES);
	dt_u32 *key, *value;
} stop_processes __attribute__((section(".maps"), used)); /* processes under control */

struct {
	MAP(type, 1);
	MAP(map_flags, 1);
	MAP(max_entries, DT_LOADER_STOP_PROCESSES);
	dt_u32 *key, *value;
} stop_threads __attribute__((section(".maps"), used)); /* ids of the stopped threads, with the number of the signal
                                                           that stopped each */

dt_u64 stop_failures; /* number of stops that failed */

/* Declares only the members that are needed here. libbpf adjusts their offsets to the kernel at load time. */
struct task_struct {
	struct {
		unsigned long sig[1];
	} blocked;
} __attribute__((preserve_access_index));

#define URGENT 23
#define WINDOW_CHANGED 28
#define CHILD 17
#define BIT(signal) (1ULL << ((signal)-1))

__attribute__((section("uprobe"), used)) int dt_loader_stop(void *context)
{
	const dt_u64 id = bpf_get_current_pid_tgid();
	dt_u32 process = id >> 32, thread = (dt_u32)id, signal = 0;
	dt_u64 blocked = 0;

	(void)context;
	if (!bpf_map_lookup_elem(&stop_processes, &process))
		return 0;
#ifdef DT_LOCKED
	blocked = ((const struct task_struct *)bpf_get_current_task_btf())->blocked.sig[0];
#else
	bpf_probe_read_kernel(&blocked, sizeof(blocked),
	                      &((const struct task_struct *)bpf_get_current_task())->blocked);
#endif
	if (!(blocked & BIT(URGENT)))
		signal = URGENT;
	else if (!(blocked & BIT(WINDOW_CHANGED)))
		signal = WINDOW_CHANGED;
	else if (!(blocked & BIT(CHILD)))
		signal = CHILD;
	if (signal == 0 || bpf_map_update_elem(&stop_threads, &thread, &signal, 0) || bpf_send_signal_thread(signal))
		__sync_fetch_and_add(&stop_failures, 1);
	return 0;
}

char dt_loader_stop_license[] __attribute__((section("license"), used)) = "GPL";
