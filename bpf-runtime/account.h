/* Where the time of a thread goes: what account.bpf.c and dcompiler/lower/account.cpp share. */
#ifndef DT_ACCOUNT_H
#define DT_ACCOUNT_H

#include "bpf-runtime/abi.h"

/* breakdown(): nanoseconds of each part, whose sum is that of the interval. dtrace-aggregations(7) says what they are,
 * dcompiler/time_parts.hpp what they are called. Files of older tracers have the first of them: new ones come last. */
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
	DT_PART_QUEUED, /* of requests alone: no thread worked for it */
	DT_PARTS
};
#define DT_PART_SLOTS 32 /* a power of two: what a number is masked to */

/* What blame() says beside the names of parts. */
enum dt_blame_name {
	DT_BLAME_RUNNING = DT_PARTS,
	DT_BLAME_INTERRUPT,
	DT_BLAME_UNKNOWN,
	DT_BLAME_KNOT,
	DT_BLAME_DEEP,
	DT_NAMES
};

#define DT_MAP_ACCOUNTS "accounts" /* TASK_STORAGE of struct dt_account: the threads that have called mark() */
#define DT_MARKS 8                 /* of a thread at a time: a power of two */

struct dt_mark {
	dt_u64 time; /* what mark() returned; 0: none */
	dt_u64 totals[DT_PARTS];
};

/* What the last wait was for: the members of `blockedon`. */
struct dt_blocked {
	char kind[16];     /* the part's name */
	dt_u64 object;     /* the lock, the word of a futex, the descriptor of a file; 0: it is not known */
	dt_u32 holder, at; /* thread that had the lock then; 0: it is not known. Unused */
};

struct dt_account {
	dt_u64 since;     /* the part that lasts began, which is not in `totals` yet; 0: nothing was marked */
	dt_u64 part;      /* which that is */
	dt_u64 changes;   /* how often any of this changed: what was read in between is no whole */
	dt_u64 woken;     /* when a wait ended that the thread is not back from; 0: it goes on */
	dt_u64 in_call;   /* in a system call, or a thread of the kernel's own */
	dt_u64 lock;      /* the kernel lock that it waits for; 0: none */
	dt_u64 reclaims;  /* it looks for memory that can be freed */
	dt_u64 nesting;   /* interrupts that run in its place, one inside another */
	dt_u64 interrupt; /* when the outermost began */
	dt_u64 next;      /* mark that is overwritten next */
	dt_u64 throttle;  /* its fair run queue when it began to wait for a CPU; 0: no quota can take from this wait */
	dt_u64 throttled; /* and for how long that queue had been throttled then */
	dt_u64 kept_off;  /* not 0: the kernel says that a quota keeps it from running, as of the last switch */
	dt_u64 steal;     /* what the hypervisor has taken of its CPU: whoever calls a function has put it here */
	dt_u64 stolen;    /* as far as it is in `totals` */
	dt_u64 owed;      /* what was not in `totals` yet when it left the CPU */
	dt_u64 waited;    /* how long the last wait was: without the one for a CPU that follows it */
	dt_u64 lock_kind; /* of `lock`: as the tracepoint tells it */
	struct dt_blocked blocked;
	dt_u64 totals[DT_PART_SLOTS];
	dt_u64 read[DT_PART_SLOTS]; /* `totals` and what lasts, as of the last look */
	struct dt_mark marks[DT_MARKS];
};

/* Who ended the last wait of a thread (waker.bpf.c, dcompiler/lower/waker.cpp): behind the account, where a script asks.
 * It begins with the members of `waker`. */
#define DT_WAKER_FRAMES 127
struct dt_waker {
	dt_u32 pid, tid; /* 0: an interrupt */
	char execname[16];
	dt_u64 kernel_bytes, user_bytes; /* of the frames */
	dt_u64 kernel[DT_WAKER_FRAMES];
	struct dt_walk walk;
};
#define DT_MAP_INTERRUPTS "interrupts" /* PERCPU_ARRAY of two 32-bit words: 1 while the CPU is in one of the hardware's; of the software's */
#define DT_WAKER_VALUE 24 /* bytes of those members */

/* blame(): what each thread did last, so that a wait can be followed to the thread that ended it (blame.bpf.c,
 * dcompiler/lower/blame.cpp). Between two episodes off its CPU a thread ran. */
#define DT_MAP_HISTORY "history" /* LRU_HASH by thread of struct dt_history */
#define DT_THREADS 8192          /* with a history; who switched least lately has none */
#define DT_EPISODES 64           /* a power of two */

struct dt_episode {
	dt_u64 off, woken, on; /* when it left its CPU, might go on, had one again; on 0: not yet */
	dt_u32 waker, part;    /* thread that ended the wait, 0: an interrupt; DT_PART_RUNQ: it did not wait */
};

struct dt_history {
	dt_u64 since;         /* what happened before is not known; 1: it ran then */
	dt_u64 next;          /* episodes so far */
	dt_u64 on;            /* when it had a CPU last */
	dt_u64 waking;        /* when it was woken last */
	dt_u64 ended;         /* when it ended: what follows is another thread's; 0: it has not */
	dt_u64 lock;          /* the kernel lock that it waits for; 0: none */
	dt_u32 waker, unused; /* who woke it last; 0: an interrupt */
	char execname[16];
	struct dt_episode episodes[DT_EPISODES];
};

#define DT_BLAME_THREADS 9 /* the one that asks, and 8 links */
#define DT_BLAME_FRAMES 16 /* a power of two */
#define DT_BLAME_TEXT 256  /* of a chain: names and parts by turns, each ended by ';' but the last */

/* A wait that is looked into: how `tid` spent the time from `from` to `to`, of which what is later is charged. */
struct dt_blame_frame {
	dt_u64 from, to;
	dt_u64 episodes;   /* of its history, those that are left */
	dt_u32 tid, begun; /* not 0: `episodes` and `path` are as they should be */
	dt_u64 path;       /* bytes of the path that lead here, its own name included */
};

struct dt_blame_work {
	dt_u64 depth; /* frames there are */
	dt_u64 times; /* what each nanosecond counts */
	dt_s64 lost;  /* a negative errno: why a chain found no room */
	struct dt_blame_frame frames[DT_BLAME_FRAMES];
	char path[DT_BLAME_TEXT + 16];
};

/* Requests (request.bpf.c, dcompiler/lower/requests.cpp): intervals that any number of threads work for. */
#define DT_MAP_REQUESTS "requests" /* HASH by key, 64 bits, of struct dt_request */
#define DT_MAP_WORKING "working"   /* TASK_STORAGE of struct dt_working: the threads that have worked for one */

/* How many threads work for a request and when one began to last, which change in one step: 12 bits, and 52 of ns since
 * it began. */
#define DT_REQUEST_THREADS 52
#define DT_REQUEST_TIME ((1ULL << DT_REQUEST_THREADS) - 1)

#define DT_DIGEST_OF_NOTHING 1 /* the key that "" is (digest.bpf.c) */

struct dt_request {
	dt_u64 since; /* when it began, which tells it from a later one of the same key */
	dt_u64 turn;  /* as above */
	dt_u64 work;  /* ns of all threads together, up to the time in `turn`; of those that ended since, all */
	dt_u64 told;  /* of these, what is in `totals` */
	dt_u64 totals[DT_PARTS];
};

struct dt_working {
	dt_u64 key, since; /* the request that the thread works for; since 0: none */
	dt_u64 begun;      /* from when on its time is not told yet */
	dt_u64 totals[DT_PARTS]; /* of its account, as of then */
	struct dt_request fresh; /* what a new one is made of */
};

#define DT_WAIT_CALLS 512     /* a power of two */
#define DT_WAIT_FILE DT_PARTS /* in kinds[]: what its first argument, a descriptor, is of */
#define DT_WAIT_NAME (DT_PARTS + 1) /* a file system, which is given a name */
#define DT_WAIT_OPEN (DT_PARTS + 2) /* the same, or whatever it opens or lets go of */

/* What tells where a thread waits; offsets are bytes, in .rodata. */
struct dt_waits {
	dt_u64 call, argument;           /* struct pt_regs: the system call's number and first argument */
	dt_u64 second, third;            /* and the two that follow */
	dt_u64 narrow, narrow_bit;       /* task_struct: the 32-bit word with this bit in a call of the 32-bit table */
	dt_u64 iowait, iowait_bit;       /* the same, of one byte, where it waits for a device */
	dt_u64 memstall, memstall_bit;   /* where it waits for memory, as pressure stall information has it; 0: not told */
	dt_u64 files, table;             /* task_struct, files_struct */
	dt_u64 most, descriptors, inode; /* fdtable, file */
	dt_u64 mode, filesystem, magic;  /* inode, super_block */
	dt_u64 cfs_rq, rq;               /* task_struct, cfs_rq */
	dt_u64 clock;                    /* rq */
	dt_u64 throttle_count;           /* cfs_rq: how many of the groups that it is in are throttled; 0: it does not tell */
	dt_u64 throttle_began;           /* when they were, by `clock` */
	dt_u64 throttle_time;            /* how long they had been, before */
	dt_u64 tells_of_each;            /* the kernel says of each thread whether it is: dt_account.kept_off */
	dt_u64 sock, family;             /* from the inode inside its struct socket_alloc; sock */
	dt_u64 mutex_owner, rwsem_owner, rt_owner, tid; /* mutex, rw_semaphore, rt_mutex_base, task_struct */
	char names[DT_NAMES][16];           /* of the parts, and what else blame() says */
	unsigned char kinds[DT_WAIT_CALLS]; /* by number: what a wait in the call is; 0: other */
};

#endif
