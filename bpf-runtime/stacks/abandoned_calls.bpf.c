/* Hooks in the library that unwinds stacks for exceptions (libgcc). They find calls that end without a return, because
 * of an exception or the end of their thread.
 *
 * This is a separate BPF object that is never linked with a script. libgcc inspects each frame with _Unwind_Find_FDE(),
 * passing an address in the frame's code. For an exception it walks the frames twice: up to the frame with the handler,
 * and then again from the first frame in order to leave the frames. So leaving begins when the first frame's address is
 * inspected again. A frame has been left when the next frame is inspected. The last frame, in which execution continues
 * (a handler or clean-up), is not left. After a clean-up, and when a thread ends, frames are left as soon as they are
 * inspected. */
#include "bpf-runtime/runtime.h"

#define IDLE 0
#define SEARCHING 1
#define LEAVING 2

struct thread {
	dt_u32 phase, seen; /* `seen`: number of frames inspected so far, including those of the unwinder itself */
	dt_u64 forced;
	dt_u64 first;      /* first inspected frame */
	dt_u64 previous;   /* frame that is known to be left when another frame is inspected */
	dt_u64 cleanup_pc; /* frame in which a clean-up ran */
};

struct {
	MAP(type, 29); /* BPF_MAP_TYPE_TASK_STORAGE */
	MAP(map_flags, 1);
	int *key;
	struct thread *value;
} abandoned_threads __attribute__((section(".maps"), used));

/* Map with the states of threads by thread id, for kernels without task storage. */
struct {
	MAP(type, 9); /* BPF_MAP_TYPE_LRU_HASH */
	MAP(max_entries, DT_ABANDONED_CALLS);
	dt_u32 *key;
	struct thread *value;
} abandoned_by_id __attribute__((section(".maps"), used));

struct {
	MAP(type, 1);      /* BPF_MAP_TYPE_HASH */
	MAP(map_flags, 1); /* BPF_F_NO_PREALLOC */
	MAP(max_entries, DT_ABANDONED_CALLS);
	struct dt_abandoned_call *key;
	dt_u64 *value;
} abandoned_calls __attribute__((section(".maps"), used));

/* Before loading, the tracer replaces this map by the trace's own map with struct dt_state. */
struct {
	MAP(type, 2); /* BPF_MAP_TYPE_ARRAY */
	MAP(max_entries, 1);
	dt_u32 *key;
	struct dt_state *value;
} abandoned_state __attribute__((section(".maps"), used));
struct {
	MAP(type, 1);
	MAP(map_flags, 1);
	MAP(max_entries, 1);
	dt_u32 *key, *value;
} abandoned_tree __attribute__((section(".maps"), used));

struct dt_abandoned_losses abandoned_losses
	__attribute__((section(".data.abandoned"))); /* not in .bss, because the map with the state of the run has that
                                                 name */

/* Indexes of abandoned_constants, whose values the tracer sets before loading. */
#define ARGUMENT 0 /* offset of the first argument in struct pt_regs */
#define PLAIN 1    /* not 0: the kernel has no attach cookies or no task storage */
#define COOKIE 2   /* if PLAIN is set: the cookie of all targets */
const volatile dt_u64 abandoned_constants[3];

static void count(const struct dt_abandoned_call *call)
{
	const dt_u64 one = 1;
	dt_u64 *known = bpf_map_lookup_elem(&abandoned_calls, call);

	if (!known && bpf_map_update_elem(&abandoned_calls, call, &one, 1 /* BPF_NOEXIST */) == 0)
		return;
	if (!known)
		known = bpf_map_lookup_elem(&abandoned_calls, call); /* another CPU has already inserted the element */
	if (known)
		__sync_fetch_and_add(known, 1);
	else
		__sync_fetch_and_add(&abandoned_losses.calls, 1);
}

DT_INLINE void inspect_frame(struct thread *thread, dt_u32 process, dt_u32 origin, dt_u64 pc)
{
	struct dt_abandoned_call call = {};

	if (thread->seen++ == 0)
		return;
	if (thread->phase == SEARCHING) {
		if (thread->seen == 2) {
			thread->first = pc;
		} else if (pc == thread->first) {
			thread->phase = LEAVING;
			thread->previous = pc;
		}
		return;
	}
	if (thread->previous) {
		call.process = process;
		call.origin = origin;
		call.forced = thread->forced;
		call.pc = thread->previous;
		call.cleanup_pc = thread->cleanup_pc;
		count(&call);
		thread->cleanup_pc = 0;
	}
	thread->previous = pc;
}

static void begin(struct thread *thread, dt_u32 which, dt_u64 exception)
{
	dt_u64 stop = 0; /* word private_1 of struct _Unwind_Exception, after its class and clean-up function: not 0 if a
                     thread ends */

	if (which == DT_UNWINDER_RESUME || which == DT_UNWINDER_RETHROW)
		bpf_probe_read_user(&stop, sizeof(stop), (void *)(exception + 16));
	thread->cleanup_pc = which == DT_UNWINDER_RESUME || (which == DT_UNWINDER_RETHROW && stop) ? thread->previous : 0;
	thread->phase = which == DT_UNWINDER_SEARCH                                           ? IDLE
	               : which == DT_UNWINDER_RAISE || (which == DT_UNWINDER_RETHROW && !stop) ? SEARCHING
	                                                                                   : LEAVING;
	thread->forced = which == DT_UNWINDER_FORCED || stop != 0;
	thread->seen = 0;
	thread->first = thread->previous = 0;
}

/* Returns the state of the current thread, or null. */
DT_INLINE struct thread *thread_state(int create)
{
	const struct thread none = {};
	dt_u32 id;
	struct thread *thread;

	if (!abandoned_constants[PLAIN])
		return bpf_task_storage_get(&abandoned_threads, bpf_get_current_task_btf(), 0, create);
	id = (dt_u32)bpf_get_current_pid_tgid();
	thread = bpf_map_lookup_elem(&abandoned_by_id, &id);
	if (thread || !create)
		return thread;
	bpf_map_update_elem(&abandoned_by_id, &id, &none, 0);
	return bpf_map_lookup_elem(&abandoned_by_id, &id);
}

__attribute__((section("uprobe"), used)) int dt_abandoned_calls(void *context)
{
	const dt_u64 cookie =
		abandoned_constants[PLAIN] ? abandoned_constants[COOKIE] : bpf_get_attach_cookie(context);
	const dt_u32 which = (dt_u32)cookie, first = 0;
	dt_u32 process = cookie >> 32, origin = process;
	const struct dt_state *state = bpf_map_lookup_elem(&abandoned_state, &first);
	const dt_u32 *followed;
	struct thread *thread;
	dt_u64 argument = 0;

	if (!state || state->activity != DT_ACTIVE || state->exiting)
		return 0;
	if (process == 0) {
		process = bpf_get_current_pid_tgid() >> 32;
		followed = bpf_map_lookup_elem(&abandoned_tree, &process);
		if (!followed)
			return 0;
		origin = *followed;
	}
	if (which == DT_UNWINDER_UNREPORTED) {
		__sync_fetch_and_add(&abandoned_losses.unreported, 1);
		return 0;
	}
	thread = thread_state(which != DT_UNWINDER_FRAME && which != DT_UNWINDER_SEARCH);
	if (!thread) {
		if (which != DT_UNWINDER_FRAME && which != DT_UNWINDER_SEARCH)
			__sync_fetch_and_add(&abandoned_losses.unreported, 1);
		return 0;
	}
	if (which == DT_UNWINDER_FRAME && thread->phase == IDLE)
		return 0;
	bpf_probe_read_kernel(&argument, sizeof(argument), context + abandoned_constants[ARGUMENT]);
	if (which == DT_UNWINDER_FRAME)
		inspect_frame(thread, process, origin, argument);
	else
		begin(thread, which, argument);
	return 0;
}

char dt_abandoned_license[] __attribute__((section("license"), used)) = "GPL";
