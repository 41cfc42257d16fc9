/* Definitions for the accounting of thread times, shared by account.bpf.c and dcompiler/lower/clause/thread_time.cpp. */
#ifndef DT_ACCOUNT_H
#define DT_ACCOUNT_H

#include "bpf-runtime/abi.h"

/* Parts of breakdown() in ns; their sum is the length of the interval. dtrace-aggregations(7) defines them, and
 * dcompiler/interface/thread_names.hpp contains their names. Files written by older tracers contain only the first
 * parts, so new parts are added at the end. */
enum dt_part {
	DT_PART_USER,
	DT_PART_KERNEL,
	DT_PART_INTERRUPT,
	DT_PART_RUNQ,
	DT_PART_FUTEX,
	DT_PART_LOCK,
	DT_PART_DISK,
	DT_PART_FAULT,
	DT_PART_RECLAIM,
	DT_PART_NETWORK,
	DT_PART_PIPE,
	DT_PART_POLL,
	DT_PART_TIMER,
	DT_PART_CHILD,
	DT_PART_SIGNAL,
	DT_PART_OTHER,
	DT_PART_THROTTLED,
	DT_PART_STOLEN,
	DT_PART_QUEUED, /* part of requests only: time in which no thread worked for the request */
	DT_PARTS
};
#define DT_PART_SLOTS 32 /* size of arrays that are indexed by part; a power of two, so that indices can be masked */

/* Words that occur in chains of blame() in addition to the names of parts. */
enum dt_blame_name {
	DT_BLAME_RUNNING = DT_PARTS,
	DT_BLAME_INTERRUPT,
	DT_BLAME_UNKNOWN,
	DT_BLAME_CYCLE,
	DT_BLAME_TOO_DEEP,
	DT_NAMES
};

#define DT_MAP_ACCOUNTS "accounts" /* TASK_STORAGE of struct dt_account, for threads whose time is accounted */
#define DT_MARKS 8                 /* maximum number of marks (start points of intervals) of a thread: a power of two */

struct dt_mark {
	dt_u64 time; /* value returned by mark(), a time; 0: none */
	dt_u64 totals[DT_PARTS];
};

/* Reason of the last wait: the members of `blockedon`. */
struct dt_blocked {
	char kind[16];     /* the part's name */
	dt_u64 object;     /* lock, futex word, or file descriptor; 0: not known */
	dt_u32 holder, at; /* holder: thread that held the lock when the wait began; 0: not known. `at` is unused */
};

struct dt_account {
	dt_u64 since;     /* start of the current part of time, which is not in `totals` yet; 0: the account has not begun */
	dt_u64 part;      /* index of the current part: enum dt_part */
	dt_u64 changes;   /* number of changes of this struct; data read while it changes are inconsistent */
	dt_u64 woken;     /* time of the first wakeup since the thread last left its CPU; 0: none */
	dt_u64 in_call;   /* 1: in a system call, or a kernel thread */
	dt_u64 lock;      /* kernel lock that the thread waits for; 0: none */
	dt_u64 reclaims;  /* 1: the thread reclaims memory */
	dt_u64 nesting;   /* nesting depth of interrupts during the thread's time */
	dt_u64 interrupt; /* start of the outermost interrupt */
	dt_u64 next;      /* index of the mark (start point of an interval) that is overwritten next */
	dt_u64 throttle;  /* the thread's fair run queue (cfs_rq) when it began to wait for a CPU; 0: throttling cannot
                      affect this wait */
	dt_u64 throttled; /* total time for which the queue in `throttle` had been throttled when the wait began */
	dt_u64 is_throttled;  /* not 0: the kernel reported at the last switch that a quota throttles the thread */
	dt_u64 steal;     /* steal time of the thread's CPU, stored here by the caller of each function */
	dt_u64 stolen;    /* part of `steal` that is in `totals` */
	dt_u64 pending_steal;      /* steal time that was not yet in `totals` when the thread left the CPU */
	dt_u64 waited;    /* length of the last wait, without the subsequent wait for a CPU */
	dt_u64 lock_kind; /* flags of the tracepoint contention_begin, which describe `lock` */
	struct dt_blocked blocked;
	dt_u64 totals[DT_PART_SLOTS];
	dt_u64 read[DT_PART_SLOTS]; /* `totals` plus the current part, as computed by the last call of look() */
	struct dt_mark marks[DT_MARKS];
};

/* The thread that ended the last wait of a thread (waker.bpf.c, dcompiler/lower/clause/critical_path.cpp). If a
 * script uses the D variable `waker`, this structure follows the time account in one map value. It begins with the
 * members of the D variable `waker`. */
#define DT_WAKER_FRAMES 127
struct dt_waker {
	dt_u32 pid, tid; /* process id and thread id of the waker; 0: an interrupt */
	char execname[16];
	dt_u64 kernel_bytes, user_bytes; /* sizes of the kernel stack and the user stack in bytes */
	dt_u64 kernel[DT_WAKER_FRAMES];
	struct dt_walk walk;
};
#define DT_MAP_INTERRUPTS "interrupts" /* PERCPU_ARRAY of two 32-bit words that are 1 while the CPU is in a hardware
                                          interrupt, and in a software interrupt */
#define DT_WAKER_VALUE 24 /* size in bytes of the members of `waker`: pid, tid, execname */

/* blame(): recent history of each thread, by which a wait is traced back to the thread that ended it
 * (critical_path.bpf.c, dcompiler/lower/clause/critical_path.cpp). An episode is a time off the CPU; between two
 * episodes the thread runs. */
#define DT_MAP_HISTORY "history" /* LRU_HASH: struct dt_history by thread id */
#define DT_THREADS 8192          /* maximum number of threads with a history; the least recently switched one is
                                    evicted */
#define DT_EPISODES 64           /* maximum number of episodes in a history; a power of two */

struct dt_episode {
	dt_u64 off, woken, on; /* times at which the thread left its CPU, was woken, and got a CPU again; `on` is 0 while it
                           has no CPU */
	dt_u32 waker, part;    /* `waker`: thread that ended the wait; 0: an interrupt. `part`: reason of the wait;
                           DT_PART_RUNQ: the thread did not wait */
};

struct dt_history {
	dt_u64 since;         /* time from which the events of the thread are known; 1: the thread has run since tracing
                          began */
	dt_u64 next;          /* number of episodes so far */
	dt_u64 on;            /* time at which the thread last got a CPU */
	dt_u64 waking;        /* time of the last wakeup */
	dt_u64 ended;         /* time at which the thread ended; later events belong to another thread with the same id; 0:
                          it has not ended */
	dt_u64 lock;          /* kernel lock that the thread waits for; 0: none */
	dt_u32 waker, unused; /* `waker`: thread that woke this thread last; 0: an interrupt */
	char execname[16];
	struct dt_episode episodes[DT_EPISODES];
};

#define DT_BLAME_THREADS 9 /* maximum number of threads in a chain: the calling thread and 8 links */
#define DT_BLAME_FRAMES 16 /* maximum number of frames in the analysis of a chain; a power of two */
#define DT_BLAME_TEXT 256  /* maximum length of a chain as text: alternating names and parts of time, separated by
                              ';' */

/* An interval that blame() analyzes: how the thread `tid` spent the time `from` to `to`. Time after `to` has already
 * been charged. */
struct dt_blame_frame {
	dt_u64 from, to;
	dt_u64 episodes;   /* number of episodes of the thread's history that remain to be handled */
	dt_u32 tid, begun; /* `begun`: not 0 if the members `episodes` and `path` are set */
	dt_u64 path;       /* length of the path in bytes, up to and including this thread's name */
};

struct dt_blame_work {
	dt_u64 depth; /* number of frames in use */
	dt_u64 times; /* weight of each nanosecond */
	dt_s64 lost;  /* negative errno of a chain that could not be stored */
	struct dt_blame_frame frames[DT_BLAME_FRAMES];
	char path[DT_BLAME_TEXT + 16];
};

/* Requests (request.bpf.c, dcompiler/lower/clause/thread_time.cpp): units of work, each with a key, on which any
 * number of threads work. */
#define DT_MAP_REQUESTS "requests" /* HASH: struct dt_request by 64-bit key */
#define DT_MAP_WORKING "working"   /* TASK_STORAGE of struct dt_working, for the threads that have worked for a
                                      request */

/* Word with the number of working threads (12 bits) and the time of its last change (52 bits: ns since the request
 * began), updated atomically. */
#define DT_REQUEST_THREADS 52
#define DT_REQUEST_TIME ((1ULL << DT_REQUEST_THREADS) - 1)

#define DT_DIGEST_OF_NOTHING 1 /* request key of the empty string, as digest.bpf.c computes it */

struct dt_request {
	dt_u64 since; /* start time of the request, which distinguishes it from a later request with the same key */
	dt_u64 packed_threads;  /* number of working threads and time of its last change, see DT_REQUEST_THREADS */
	dt_u64 work;  /* ns of work of all threads up to the time in `packed_threads`; for threads that have stopped after
                  that time, all their work */
	dt_u64 reported_work;  /* part of `work` that is in `totals` */
	dt_u64 totals[DT_PARTS];
};

struct dt_working {
	dt_u64 key, since; /* request for which the thread works; `since` is 0: none */
	dt_u64 begun;      /* start of the thread's time that is not yet added to the request */
	dt_u64 totals[DT_PARTS]; /* totals of the thread's time account at the time `begun` */
	struct dt_request fresh; /* initial value of a new request */
};

#define DT_WAIT_CALLS 512     /* size of `kinds`; a power of two */
#define DT_WAIT_FILE DT_PARTS /* value of kinds[]: the part of the wait depends on the file whose descriptor is the
                                 first argument */
#define DT_WAIT_NAME (DT_PARTS + 1) /* value of kinds[]: the call works on a file system and has a name of a file as
                                       argument */
#define DT_WAIT_OPEN (DT_PARTS + 2) /* value of kinds[]: the call works on a file system, or waits for the file that
                                       it opens or closes */

/* Offsets and bits with which programs find the reason of a wait. Offsets are in bytes; the struct is in .rodata. Each
 * comment names the kernel structs that contain the members with these offsets. */
struct dt_waits {
	dt_u64 call, argument;           /* offsets in pt_regs: the system call's number and its first argument */
	dt_u64 second, third;            /* offsets in pt_regs: the second and the third argument */
	dt_u64 compat_flag, compat_bit;       /* task_struct: offset of a 32-bit word, and the bit of it that is set in a
                                          32-bit system call */
	dt_u64 iowait, iowait_bit;       /* task_struct: offset of a byte, and the bit of it that is set while the thread
                                     waits for a device */
	dt_u64 memstall, memstall_bit;   /* task_struct: offset of a byte, and the bit of it that is set while the thread
                                     waits for memory (pressure stall information); 0: not available */
	dt_u64 files, table;             /* offsets in task_struct and files_struct */
	dt_u64 most, descriptors, inode; /* offsets in fdtable and file */
	dt_u64 mode, filesystem, magic;  /* offsets in inode and super_block */
	dt_u64 cfs_rq, rq;               /* offsets in task_struct and cfs_rq */
	dt_u64 clock;                    /* offset in rq */
	dt_u64 throttle_count;           /* cfs_rq: number of throttled groups that contain it; 0: not available */
	dt_u64 throttle_began;           /* cfs_rq: start of the throttling, by `clock` */
	dt_u64 throttle_time;            /* cfs_rq: total time of earlier throttling */
	dt_u64 reports_throttling;            /* whether the kernel reports throttling per thread: dt_account.is_throttled */
	dt_u64 sock, family;             /* `sock`: distance in struct socket_alloc from the inode to the pointer to the
                                     sock. `family`: offset in sock */
	dt_u64 mutex_owner, rwsem_owner, rt_owner, tid; /* offsets in mutex, rw_semaphore, rt_mutex_base and task_struct */
	char names[DT_NAMES][16];           /* names of parts and other words of blame() */
	unsigned char kinds[DT_WAIT_CALLS]; /* by system-call number: part of time to which a wait in this call belongs;
                                        0: DT_PART_OTHER */
	dt_u64 stack; /* task_struct: the start of the kernel stack. Only for kernels without bpf_task_pt_regs(): there, the
                  pt_regs offsets above count from the start of the stack */
};

#endif
