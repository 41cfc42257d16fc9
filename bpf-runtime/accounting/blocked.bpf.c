/* Determines the object of a wait, and the holder of a lock when the wait began. Called when the thread has left its
 * CPU, while its memory is still mapped.
 *
 * A futex word has a meaning only for the library that uses it. The holder is known in three cases.
 * FUTEX_LOCK_PI: the word contains the owner's id. musl's mutexes: threads wait for a word with the bit
 * FUTEX_WAITERS. The C library's mutexes: threads wait for the value 2, and the owner's id follows two words later.
 * Other users of the value 2 may have any data there. */
#include "bpf-runtime/accounting/account.h"
#include "bpf-runtime/accounting/waiting.h"
#include "bpf-runtime/runtime.h"

/* linux/futex.h */
#define FUTEX_WAIT 0
#define FUTEX_LOCK_PI 6
#define FUTEX_WAIT_BITSET 9
#define FUTEX_LOCK_PI2 13
#define FUTEX_COMMAND 0x7f
#define FUTEX_WAITERS 0x80000000U
#define FUTEX_TID 0x3fffffff
#define TAKEN_AND_WAITED_FOR 2 /* value from glibc, nptl/lowlevellock.h */
/* struct __pthread_mutex_s: int lock, unsigned count, int owner */
#define OWNER_AT 8
/* flags from include/trace/events/lock.h, LCB_F_* */
#define READ 2
#define WRITE 4
#define REALTIME 8
#define PERCPU 16
/* flags in the low bits of lock owners: kernel/locking/mutex.h, rwsem.c, rtmutex_common.h */
#define OWNER_FLAGS 7ULL
#define READERS 1ULL

DT_INLINE dt_u64 kernel_word(dt_u64 address, dt_u32 bytes)
{
#ifdef DT_LOCKED
	(void)address, (void)bytes;
	return 0;
#else
	dt_u64 number = 0;

	return bpf_probe_read_kernel(&number, bytes, (const void *)address) ? 0 : number;
#endif
}

DT_INLINE dt_u32 user_word(dt_u64 address)
{
	dt_u32 number = 0;

	return bpf_probe_read_user(&number, sizeof number, (const void *)address) ? 0 : number;
}

DT_INLINE dt_u32 holder_of_futex(dt_u64 word, dt_u64 command, dt_u64 value)
{
	command &= FUTEX_COMMAND;
	if (command == FUTEX_LOCK_PI || command == FUTEX_LOCK_PI2)
		return user_word(word) & FUTEX_TID;
	if (command != FUTEX_WAIT && command != FUTEX_WAIT_BITSET)
		return 0;
	if ((dt_u32)value & FUTEX_WAITERS)
		return value & FUTEX_TID;
	return (dt_u32)value == TAKEN_AND_WAITED_FOR ? user_word(word + OWNER_AT) : 0;
}

DT_INLINE dt_u32 holder_of_lock(const volatile struct dt_account *a, const volatile struct dt_waits *w)
{
	dt_u64 kind = a->lock_kind, owner;

	if (kind & MUTEX)
		owner = kernel_word(a->lock + w->mutex_owner, 8);
	else if (kind & REALTIME)
		owner = kernel_word(a->lock + w->rt_owner, 8);
	else if ((kind & (READ | WRITE)) && !(kind & PERCPU))
		owner = kernel_word(a->lock + w->rwsem_owner, 8);
	else
		return 0;
	if (!(kind & (MUTEX | REALTIME)) && (owner & READERS))
		return 0; /* the word of a reader-writer semaphore names the reader that took the lock last, which may have
               released it already */
	owner &= ~OWNER_FLAGS;
	return owner ? kernel_word(owner + w->tid, 4) : 0;
}

/* Records the reason of the wait. Called when the thread has left its CPU and its account contains the part of time
 * to which the wait belongs. */
DT_HIDDEN dt_u64 dt_account_blocked(volatile struct dt_account *a, dt_u64 task, const volatile struct dt_waits *w)
{
	dt_u64 part = a->part & (DT_PART_SLOTS - 1), regs, call, kind, object = 0;
	dt_u32 holder = 0;

	if (part == DT_PART_RUNQ || part >= DT_PARTS)
		return 0;
	regs = SAVED_REGISTERS(task, w);
	if (part == DT_PART_LOCK && a->lock) {
		object = a->lock;
		holder = holder_of_lock(a, w);
	} else if (part == DT_PART_FUTEX) {
		object = kernel_word(regs + w->argument, 8);
		holder = holder_of_futex(object, kernel_word(regs + w->second, 8), kernel_word(regs + w->third, 8));
	} else if (part == DT_PART_PIPE || part == DT_PART_NETWORK || part == DT_PART_DISK) {
		call = (dt_u32)kernel_word(regs + w->call, 8);
		kind = call < DT_WAIT_CALLS ? w->kinds[call & (DT_WAIT_CALLS - 1)] : 0;
		if (kind == DT_WAIT_FILE || kind == part)
			object = (dt_u32)kernel_word(regs + w->argument, 8);
	}
	((volatile dt_u64 *)a->blocked.kind)[0] = ((const volatile dt_u64 *)w->names[part])[0];
	((volatile dt_u64 *)a->blocked.kind)[1] = ((const volatile dt_u64 *)w->names[part])[1];
	a->blocked.object = object;
	a->blocked.holder = holder;
	return 0;
}
