/* Determines why a thread that has just left its CPU waits; used by account.bpf.c and critical_path.bpf.c. `task` is
 * the object of a typed tracepoint, so its members may be loaded directly. */
#ifndef DT_WAITING_H
#define DT_WAITING_H

#include "bpf-runtime/accounting/account.h"
#include "bpf-runtime/runtime.h"

/* States of a task, from include/linux/sched.h. */
#define INTERRUPTIBLE 1
#define STOPPED_OR_TRACED (4 | 8)
/* Flags of the tracepoint contention_begin (include/trace/events/lock.h). Threads never sleep for a spinlock, and spin
 * for a mutex before they sleep. */
#define SPIN 1
#define MUTEX 32
/* Constants from linux/stat.h, linux/socket.h and linux/magic.h. */
#define S_IFMT 0170000
#define S_IFIFO 0010000
#define S_IFCHR 0020000
#define S_IFSOCK 0140000
#define AF_UNIX 1
#define ANON_INODE_FS_MAGIC 0x09041934

DT_INLINE dt_u64 number_at(dt_u64 address, dt_u32 bytes)
{
#ifdef DT_LOCKED
	(void)address, (void)bytes;
	return 0; /* the verifier sees the address as a number, and on locked-down kernels programs cannot read from a
              number */
#else
	dt_u64 number = 0;

	return bpf_probe_read_kernel(&number, bytes, (const void *)address) ? 0 : number;
#endif
}

/* Loads a member of an object whose type the kernel knows; the offset is constant data. A load costs a tenth of a
 * helper call. */
#define MEMBER(type, object, offset) (*(const volatile type *)((object) + (offset)))

/* The thread's user-mode registers, which the kernel saves at the end of the thread's kernel stack. */
#ifdef DT_PLAIN_KERNEL
#define SAVED_REGISTERS(task, waits) MEMBER(dt_u64, task, (waits)->stack)
#define SAVED(type, registers, offset) ((type)number_at((registers) + (offset), sizeof(type)))
#else
#define SAVED_REGISTERS(task, waits) bpf_task_pt_regs(task)
#define SAVED(type, registers, offset) MEMBER(type, registers, offset)
#endif

/* Returns the part of time for a wait in a system call on this file descriptor. */
DT_INLINE dt_u64 part_of_file(dt_u64 task, dt_u64 descriptor, const volatile struct dt_waits *w)
{
	dt_u64 files = MEMBER(dt_u64, task, w->files), table, inode, mode, sock;

	if (!files)
		return DT_PART_OTHER;
	table = MEMBER(dt_u64, files, w->table);
	descriptor = (dt_u32)descriptor;
	if (!table || descriptor >= MEMBER(dt_u32, table, w->most))
		return DT_PART_OTHER;
	inode = number_at(MEMBER(dt_u64, table, w->descriptors) + descriptor * 8, 8);
	inode = number_at(inode + w->inode, 8);
	if (!inode)
		return DT_PART_OTHER;
	mode = number_at(inode + w->mode, 2) & S_IFMT;
	if (mode == S_IFIFO)
		return DT_PART_PIPE;
	if (mode == S_IFSOCK) {
		sock = number_at(inode + w->sock, 8);
		return number_at(sock + w->family, 2) == AF_UNIX ? DT_PART_PIPE : DT_PART_NETWORK;
	}
	if (mode == 0 || mode == S_IFCHR)
		return DT_PART_OTHER;
	return number_at(number_at(inode + w->filesystem, 8) + w->magic, 8) == ANON_INODE_FS_MAGIC ? DT_PART_OTHER
	                                                                                           : DT_PART_DISK;
}

/* State of a thread that leaves its CPU, in addition to the kernel's own data. */
struct waiter {
	dt_u64 state, reclaims, lock;
	dt_s64 in_call; /* 0: the thread is not in a system call; positive: it is; negative: unknown, so the thread's
                    registers are examined */
};

DT_INLINE dt_u64 waiting(const struct waiter a, dt_u64 task, const volatile struct dt_waits *w)
{
	dt_u64 regs = SAVED_REGISTERS(task, w), call, kind, outside;

	if (a.state & STOPPED_OR_TRACED)
		return DT_PART_SIGNAL;
	if (a.reclaims)
		return DT_PART_RECLAIM;
	if (a.lock)
		return DT_PART_LOCK;
	/* A thread waits for memory outside of system calls and of reclaim if its control group is above memory.high.
	 */
	if (MEMBER(dt_u8, task, w->memstall) & w->memstall_bit && !(MEMBER(dt_u8, task, w->iowait) & w->iowait_bit))
		return DT_PART_RECLAIM;
	call = SAVED(dt_u32, regs, w->call); /* after an exception, the register contains a value that is not a system
	                                  call's number */
	outside = a.in_call < 0 ? (int)call < 0 : !a.in_call;
	if (outside && call >= DT_WAIT_CALLS)
		return DT_PART_FAULT;
	kind = call < DT_WAIT_CALLS ? w->kinds[call & (DT_WAIT_CALLS - 1)] : 0;
	if (w->compat_bit && MEMBER(dt_u32, task, w->compat_flag) & w->compat_bit)
		kind = 0;
	if (MEMBER(dt_u8, task, w->iowait) & w->iowait_bit &&
	    kind != DT_PART_POLL) /* io_uring sets iowait_bit during polls too */
		return DT_PART_DISK;
	if (kind == DT_WAIT_NAME)
		return DT_PART_DISK;
	if (kind == DT_WAIT_OPEN) /* an interruptible wait in open() waits for a process that opens the other end of a
	                         named pipe */
		return a.state & INTERRUPTIBLE ? DT_PART_OTHER : DT_PART_DISK;
	if (outside) /* the thread is returning from the system call and releases files */
		return DT_PART_OTHER;
	if (kind == DT_WAIT_FILE)
		return part_of_file(task, SAVED(dt_u64, regs, w->argument), w);
	return kind ? kind : DT_PART_OTHER;
}

#endif
