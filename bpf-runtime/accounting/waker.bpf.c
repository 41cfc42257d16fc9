/* Records which thread ends a wait. It runs at sched_waking, which happens in the waker; sched_wakeup may run on
 * another CPU. An interrupt that wakes a thread runs in place of an unrelated thread, so the waker is then named
 * "interrupt". Work in a software interrupt often belongs to the interrupted thread, for example a packet to the same
 * machine, so the wakeup is attributed to that thread. */
#include "bpf-runtime/accounting/account.h"
#include "bpf-runtime/runtime.h"

/* the text "interrupt" as two 64-bit words */
#define INTERRUPT_FIRST 0x7075727265746e69ULL
#define INTERRUPT_REST 0x74

DT_INLINE dt_u64 word_at(dt_u64 address, dt_u32 bytes)
{
#ifdef DT_LOCKED
	(void)bytes;
	return *(const volatile dt_u64 *)address;
#else
	dt_u64 number = 0;

	return bpf_probe_read_kernel(&number, bytes, (const void *)address) ? 0 : number;
#endif
}

/* Records the waker of a thread. Returns 1 if the waker is a thread; idle threads wake others only in interrupts. */
DT_HIDDEN dt_u64 dt_waker_seen(struct dt_waker *k, dt_u64 in_interrupt)
{
	dt_u64 ids = bpf_get_current_pid_tgid(), is_thread = ids && !in_interrupt;

	k->kernel_bytes = 0;
	k->user_bytes = 0;
	if (is_thread) {
		k->pid = ids >> 32;
		k->tid = ids;
		bpf_get_current_comm(k->execname, sizeof k->execname);
	} else {
		k->pid = 0;
		k->tid = 0;
		((dt_u64 *)k->execname)[0] = INTERRUPT_FIRST;
		((dt_u64 *)k->execname)[1] = INTERRUPT_REST;
	}
	return DT_UNKNOWN(is_thread);
}

/* Starts the walk of the waker's user stack. `words`: the indices of pc, stack pointer and frame pointer in struct
 * pt_regs, one byte each, the lowest byte first. `mm`: offset of mm in task_struct. */
DT_HIDDEN dt_u64 dt_waker_registers(struct dt_waker *k, dt_u64 words, dt_u64 mm)
{
	dt_u64 task = (dt_u64)bpf_get_current_task_btf(), regs = bpf_task_pt_regs(task);

	k->walk.pc = word_at(regs + (words & 0xff) * 8, 8);
	k->walk.sp = word_at(regs + (words >> 8 & 0xff) * 8, 8);
	k->walk.fp = word_at(regs + (words >> 16 & 0xff) * 8, 8);
	k->walk.process = k->pid;
	k->walk.mm = word_at(task + mm, 8);
	k->walk.entry = 0;
	k->walk.returns = 0;
	k->walk.wants = 0;
	return 0;
}
