/* What the BPF side and the consumer agree on, in one place. Included by C compiled to BPF and by C++; sizes are
 * asserted in both.
 *
 * Kernel objects of one run, by name. Every one lives only as long as the run, unless -x pin gives it a name. */
#ifndef DT_ABI_H
#define DT_ABI_H

#ifdef __bpf__
typedef unsigned int dt_u32;
typedef int dt_s32;
typedef unsigned long long dt_u64;
typedef long long dt_s64;
#else
#include <stdint.h>
typedef uint32_t dt_u32;
typedef int32_t dt_s32;
typedef uint64_t dt_u64;
typedef int64_t dt_s64;
#endif

/* Maps and data sections of the compiled object. */
/* PERF_EVENT_ARRAY: principal buffers, one perf buffer per CPU; max_entries set at load. */
#define DT_MAP_BUFFERS "buffers"
/* ARRAY_OF_MAPS by CPU: its fast lane, if it is open, an mmapable ARRAY of 1 entry: struct dt_lane; max_entries set at
 * load */
#define DT_MAP_LANES "lanes"
#define DT_MAP_LOSSES "losses" /* ARRAY, mmapable: struct dt_losses by CPU; max_entries set at load */
/* ARRAY: DT_SLOTS slots per CPU, [cpu * DT_SLOTS + level]; max_entries set at load. */
#define DT_MAP_SCRATCH "scratch"
/* PERCPU_ARRAY, 1 entry: aggregations without keys, each a touched word and its words; _2 … when one is full. */
#define DT_MAP_AGGS "aggs"
#define DT_MAP_CGROUP "cgroup" /* CGROUP_ARRAY, 1 entry: the control group of -x cgroup; filled when loaded */
/* HASH, with -x follow: process id -> id of the process of -c or -p that it comes from (u32 both). */
#define DT_MAP_FOLLOWED "followed"
#define DT_MAP_BELL "bell"      /* RINGBUF of a page: dt_state.resting */
#define DT_MAP_TURN "turn"      /* ARRAY, mmapable: u64 by CPU, see DT_TURNS; max_entries set at load */
#define DT_MAP_SELF "self"      /* TASK_STORAGE: all self-> scalars of a thread in one value */
#define DT_SECTION_STATE ".bss" /* libbpf makes one mmapable ARRAY of it: struct dt_state first, then the D globals */

/* mmapable ARRAY: struct dt_spec by id; that of id 0: speculations begun, and as bytes the ids that are taken, if there
 * are several. */
#define DT_SECTION_SPEC ".data.spec"

/* mmapable ARRAY, with -x pin: samples that went into the principal buffers, and those that a tracer took out: what is
 * missing when a tracer comes went with the one before. */
#define DT_SECTION_SENT ".data.sent"
struct dt_sent {
	dt_u64 sent;        /* the programs' to count */
	dt_u64 reserved[7]; /* a cache line for each side */
	dt_u64 read;        /* the tracer's */
	dt_u64 reserved2[7];
};

/* mmapable ARRAY: u64 by aggregation id, keys that were put into its overflow map. */
#define DT_SECTION_MORE ".data.more"
/* Behind the per-CPU hash of an aggregation with keys stands an ARRAY_OF_MAPS of one entry, "<its name>_more": what
 * finds no room in the first goes to the HASH that the consumer puts there, keyed by the same key and the CPU in 8
 * bytes more. The consumer replaces it by a larger one before it is full. */
#define DT_MORE_SUFFIX "_more"
/* Where keys may be long, but mostly are not, there is a PERCPU_HASH "<its name>_brief" as well: keys whose words from
 * a certain place on are zeros go there without them, or, when it is full, where the long ones go. */
#define DT_BRIEF_SUFFIX "_brief"

#define DT_SLOTS 4 /* nesting levels: task, softirq, hardirq, nmi (a preempting task takes a free one too) */

/* Activity of the run: dt_state.activity. Every program but BEGIN's and END's returns at once unless it is ACTIVE. */
#define DT_INACTIVE 0
#define DT_ACTIVE 1
#define DT_TURNS 2
#define DT_DRAINING 3
#define DT_STOPPED 4

/* While a trace takes the place of another one at the same hooks, both are at DT_TURNS: on each CPU that one records
 * whose dt_state.turn is the number that DT_MAP_TURN has there. One store of that CPU makes it the other's turn, where
 * no firing can stand between the program of the one and that of the other. So each firing is seen by exactly one. */

/* dt_state.resting. The consumer of a trace in which nothing happens sleeps long. It says so before, and looks once
 * more a moment later: what was sent before a program could see the word is seen then. Who sends something, or needs
 * something of the consumer, looks at the word afterwards; the one that finds it RESTING makes it RINGING, rings
 * (writes to the bell, which wakes), and makes it AWAKE. While somebody rings, perhaps interrupted inside the ring
 * buffer's lock, nobody else does, and the consumer does not change the word. A consumer that is AWAKE looks every now
 * and then; who has more to read than may wait so long makes it RINGING, rings, and makes it AWAKE again. */
#define DT_AWAKE 0
#define DT_RESTING 1
#define DT_RINGING 2

/* With -x cost, when firings are counted and timed: dt_state.gates, by the gate of a program (Schema). Behind a closed
 * gate a program does neither, and does not look at the activity: whoever ends DT_ACTIVE opens all gates afterwards. */
#define DT_GATES 8
#define DT_GATE_OF_OTHERS (DT_GATES - 1) /* what programs are called for that is no firing of their probes */
struct dt_gate {
	dt_u32 closed;  /* DT_ACTIVE; 0: open */
	dt_u32 more;    /* firings that each one stands for, besides itself: those behind the closed gate */
	dt_u32 sampled; /* more + 1, or 0 where all are seen */
	dt_u32 reserved;
};

struct dt_state {
	dt_u32 activity;
	dt_u32 exiting;         /* an exit() ran: no further clause starts, END excepted */
	dt_s64 boot_to_wall_ns; /* walltimestamp = ktime + this; filled by the consumer before BEGIN */
	dt_u64 zero; /* always 0, which the verifier cannot know: x ^ zero is x with all knowledge of it gone */
	dt_u64 tracer_frames;   /* innermost frames of a raw tracepoint's kernel stack that are the tracer's, its
	                           program's included; 0: unknown */
	dt_u64 exit_status;     /* of the exit() that ran last; its low 8 bits count */
	dt_u64 test_run_frames; /* as tracer_frames, of the stack of BEGIN and END, which the tracer runs itself */
	dt_u64 resting;         /* DT_AWAKE, … */
	dt_u64 freezing;        /* not 0: the record of a freeze() found no room, since the consumer looked */
	dt_u64 lease; /* with -x pin: when CLOCK_MONOTONIC is there, the trace stops, unless a tracer moves it on; 0: never */
	dt_u64 turn;  /* how many traces in this one's place were before it: DT_TURNS */
	struct dt_gate gates[DT_GATES];
};

/* Every event that is not delivered is counted here, by CPU and cause. Counters only grow; updates are atomic adds. */
struct dt_losses {
	dt_u64 principal;   /* perf buffer full: the sample is lost */
	dt_u64 aggregation; /* no room for a new key */
	dt_u64 dynamic;     /* no room for a self-> or associative array element */
	dt_u64 speculation; /* speculative buffer full */
	dt_u64 spec_unavailable;
	dt_u64 nesting;      /* no free scratch slot: the firing is lost */
	dt_u64 double_error; /* a fault inside an ERROR clause */
	dt_u64 no_memory;    /* there would be room for a new key, but the kernel had no memory for it at hand */
	/* No losses: with dynvars=lru, elements that programs have made and deleted. What is neither deleted nor there has
	 * made room for another, which the kernel does not tell. */
	dt_u64 made;
	dt_u64 removed;
};

/* In front of every sample; `size` counts header and data. Data are laid out by StatementSchema, fields at their
 * natural alignment, in whole words of 8 bytes. In a perf buffer the time is the record's own (PERF_SAMPLE_TIME,
 * CLOCK_MONOTONIC); in a fast lane see struct dt_lane. */
struct dt_sample {
	dt_u32 size;
	dt_u32 spec; /* serial number of its speculation, 0: none */
	dt_u32 probe;
	dt_u32 stmt;
};

/* In dt_sample.size, with -x firings: this firing has sent a sample before. */
#define DT_SAMPLE_CONTINUES 0x80000000u

/* A CPU's fast lane. Where samples come in numbers the consumer opens one beside the perf buffer. A sample there costs
 * the traced program a fifth of what it costs in a perf buffer: no helper of the kernel and no lock.
 *
 * A program takes room by moving `written` on with a compare-and-exchange, which another that interrupts it wins:
 * who loses goes to the perf buffer, as does who finds the lane full. Then it copies the sample, the time behind it
 * (`size` does not count it), and last the first word, which is not 0: until that is there the reader waits. The reader
 * makes all of it zeros again before it gives the room back. Position p is at data[p % DT_LANE_DATA]; what begins before
 * the end of those is whole. */
#define DT_LANE_DATA (2u << 20) /* a power of two */
#define DT_LANE_MOST 16384      /* bytes of a sample with its time; longer ones take no lane */
#define DT_LANE_WAKE 65536      /* the consumer is woken whenever so many more have been written; a power of two */
struct dt_lane {
	dt_u64 written;
	dt_u64 reserved[7]; /* a cache line for each side */
	dt_u64 read;        /* the reader's to set */
	dt_u64 reserved2[7];
	unsigned char data[DT_LANE_DATA + DT_LANE_MOST];
};

/* dt_sample.stmt of a fault report; its data is struct dt_fault. */
#define DT_STMT_FAULT 0xffffffffu

struct dt_fault {
	dt_u32 stmt;  /* the statement that faulted; dt_sample.probe is the probe */
	dt_u32 code;  /* DTRACEFLT_*: dtrace-output(7), FAULTS AND DROPS */
	dt_s64 pc;    /* instruction index inside the clause, -1 unknown */
	dt_u64 value; /* address, size or index */
};

/* A speculation id. Each speculation() that finds one gets a serial number as well, which nobody gets a second time
 * (for 2^32 calls): it is what samples carry, so an id can be given out again the moment commit() or discard() took the
 * serial off it, although samples of the speculation before may still be on their way. */
struct dt_spec {
	dt_u64 serial; /* 0: the id is free */
	dt_u64 bytes;  /* of the samples written since it was given out, headers included */
	dt_u64 time;   /* of the last of them, or of one just before it; 0: there is none */
};

/* min(v) is stored as u64 INT64_MAX - v and max(v) as v - INT64_MIN, both combined with unsigned max: a zeroed slot,
 * which is what the kernel gives the CPUs that did not insert the key, is then each function's initial value. */

/* What is known of one probe when a program serves several: section .data.ecb, an array indexed by the hook's selector;
 * probe 0 is "no probe here". `mask` bit i: the i-th statement of this program applies; its length is a property of the
 * program. */
struct dt_ecb {
	dt_u32 probe;
	dt_u32 prov, mod, func, name; /* string ids: Schema::names */
	dt_u32 counted;               /* place of its dt_firings, with -x firings, and of its dt_cost */
	dt_u32 process;               /* whose it is: PlannedProbe */
	dt_u32 reserved;
	dt_u64 mask[];
};

/* How the firings of one probe of one program ended, with -x firings: by CPU (or once for all, schema.hpp), then by
 * place. */
#define DT_SECTION_FIRINGS ".data.firings"
struct dt_firings {
	dt_u64 filtered; /* no predicate held */
	dt_u64 recorded;
	dt_u64 lost;  /* in whole or in part: struct dt_losses says to what */
	dt_u64 begun; /* counted before anything else: when nothing runs, the sum of the others */
};

/* The same of each clause, by its number: of what began, how it ended. */
#define DT_SECTION_CLAUSE_FIRINGS ".data.clause_firings"

/* What firings cost, with -x cost: of each probe of each program, by CPU (or once for all, schema.hpp), then by place.
 * A program counts each firing while its gate is open (dt_gate) and times some, seldom enough that the clock is not what
 * is measured; each of these stands for those since the last. Behind the places of probes are those of what programs
 * were called for in vain. */
#define DT_SECTION_COSTS ".data.costs"
struct dt_cost {
	dt_u64 fired;
	dt_u64 next;    /* this firing is timed */
	dt_u64 counted; /* firings up to the last that was timed */
	dt_u64 timed;
	dt_u64 ns;          /* what the counted ones took, as far as the timed ones tell */
	dt_u64 reading;     /* ns that reading the clock took, in all timed ones */
	dt_u64 sampled;     /* of `fired`: by firings that stood for others (dt_gate) */
	dt_u64 reserved;    /* a cache line for each CPU */
};

/* How the times of firings lie, for all CPUs: of each clause by its number, then of each probe by its place, if there
 * are few enough. Bucket of v ns: v itself below 4, then four for each power of two. */
#define DT_SECTION_COST_TIMES ".data.cost_times"
#define DT_COST_BUCKETS 124
struct dt_cost_times {
	dt_u64 timed;
	dt_u64 ns;   /* as above */
	dt_u64 most; /* ns of one */
	dt_u64 reserved;
	dt_u64 firings[DT_COST_BUCKETS];
};

/* Of a firing that is timed, in the frame of its program. */
struct dt_costing {
	dt_u64 weight; /* firings that it stands for; 0: it is not timed */
	dt_u64 since;  /* when its present clause began */
	dt_u64 ns;     /* of the clauses before that */
};

/* Which firings a program passes by, with -x maxcost: of each probe of each program, by CPU (or once for all,
 * schema.hpp), then by place. What is taken stands for all since the last that was taken. */
#define DT_SECTION_SAMPLING ".data.sampling"
#define DT_SAMPLING_ONE 256   /* of `scale` */
#define DT_SAMPLING_MOST 4096 /* of `every` */
struct dt_sampling {
	dt_u64 seen;  /* firings */
	dt_u64 take;  /* firings below this one are passed by */
	dt_u64 taken; /* the last that was taken */
	dt_u64 every; /* of so many firings one is taken, on average. The tracer's to set; 0 and 1: all */
	dt_u64 scale; /* each stands for so many times more, for when the program was off. The tracer's; 0: once */
	dt_u64 stood; /* firings that those taken stand for */
	dt_u64 window; /* what a thread has begun in another one does not go on. The tracer's, but for the low bits: the
			* family of variables of the probe (DT_FAMILY_BITS) */
	dt_u32 role; /* of its probe: 0 none, 1 begins pairs, 2 goes on with them */
	dt_u32 rest; /* of what the last one stood for, below a whole firing. (Eight words: a cache line for each CPU) */
};

#define DT_FAMILY_BITS 4

/* How often the program of a tick ran, on its one CPU. The tracer knows how often it should have; where the kernel
 * skipped it, it lets the clock ask again and again for a moment, and allows one run more. */
#define DT_SECTION_TICKS ".data.ticks" /* mmapable ARRAY: by ProgramPlan::tick */
struct dt_tick {
	dt_u64 ran;
	dt_u64 limit; /* it runs while `ran` is below */
};

/* avg(): the number of values; their sum: a signed word, and the signed number of 2^64 that it is short of. stddev():
 * the same, and the sum of their squares, 192 bits, the low word first. */
#define DT_AVG_WORDS 3
#define DT_STDDEV_WORDS 6

#define DT_QUANTIZE_BUCKETS 127
#define DT_QUANTIZE_ZERO 63

/* hquantize(): bucket n on either side of 0 has the magnitudes above base^(n - 2) and not above base^(n - 1), base
 * being 2^(2^-schema); the last one ends in 2^63. Behind the buckets is the sum of the values, 64 bits of it. */
#define DT_HQUANTIZE_MOST_SCHEMA 5
#define DT_HQUANTIZE_SIDE(schema) ((63 << (schema)) + 1)
#define DT_HQUANTIZE_BUCKETS(schema) (2 * DT_HQUANTIZE_SIDE(schema) + 1)
#define DT_HQUANTIZE_WORDS(schema) (DT_HQUANTIZE_BUCKETS(schema) + 1)

/* 2^63 * 2^(n / 32) for n from 1 to 31, without its fraction: the bounds of the buckets of schema 5 in an octave. None of
 * them is an integer, so a number of 64 bits is above the bound if it is above this. */
#define DT_HQUANTIZE_BOUNDS(X) \
	X(1, 0x82cd8698ac2ba1d7ULL) X(2, 0x85aac367cc487b14ULL) X(3, 0x88980e8092da8527ULL) X(4, 0x8b95c1e3ea8bd6e6ULL) \
	X(5, 0x8ea4398b45cd53c0ULL) X(6, 0x91c3d373ab11c336ULL) X(7, 0x94f4efa8fef70961ULL) X(8, 0x9837f0518db8a96fULL) \
	X(9, 0x9b8d39b9d54e5538ULL) X(10, 0x9ef5326091a111adULL) X(11, 0xa27043030c496818ULL) X(12, 0xa5fed6a9b15138eaULL) \
	X(13, 0xa9a15ab4ea7c0ef8ULL) X(14, 0xad583eea42a14ac6ULL) X(15, 0xb123f581d2ac258fULL) X(16, 0xb504f333f9de6484ULL) \
	X(17, 0xb8fbaf4762fb9ee9ULL) X(18, 0xbd08a39f580c36beULL) X(19, 0xc12c4cca66709456ULL) X(20, 0xc5672a115506daddULL) \
	X(21, 0xc9b9bd866e2f27a2ULL) X(22, 0xce248c151f8480e3ULL) X(23, 0xd2a81d91f12ae45aULL) X(24, 0xd744fccad69d6af4ULL) \
	X(25, 0xdbfbb797daf23755ULL) X(26, 0xe0ccdeec2a94e111ULL) X(27, 0xe5b906e77c8348a8ULL) X(28, 0xeac0c6e7dd24392eULL) \
	X(29, 0xefe4b99bdcdaf5cbULL) X(30, 0xf5257d152486cc2cULL) X(31, 0xfa83b2db722a033aULL)

/* ---- processes that are stopped when they load libraries: hold.bpf.c, libdtrace/process/loader_hook.hpp ---- */
#define DT_HOLD_PROCESSES 32768

/* ---- calls that end by an exception: unwound.bpf.c, libdtrace/trace/unwound.hpp ---- */
/* Where a thread is in the library that unwinds stacks: low 32 bits of the cookie. */
#define DT_UNWOUND_FRAME 0 /* it looks at a frame, by an address in it */
/* an exception is thrown: the frames up to its handler are looked at, and then once more, and left. */
#define DT_UNWOUND_RAISE 1
#define DT_UNWOUND_RESUME 2 /* it goes on, behind a clean-up */
#define DT_UNWOUND_FORCED 3 /* a thread ends: all frames are left */
#define DT_UNWOUND_AGAIN 4  /* a caught exception is thrown again: as RAISE, or of a thread that ends as RESUME */
#define DT_UNWOUND_OTHER 5  /* frames that are looked at from now on are not left */
#define DT_UNWOUND_UNTOLD 6 /* an exception is thrown, and nothing tells of frames */

struct dt_unwound {
	dt_u32 process, origin; /* the process of -c or -p that it is followed because of, or itself */
	dt_u64 forced;
	dt_u64 pc;     /* of the call that was unwound */
	dt_u64 landed; /* of a clean-up: where the call was before, as the clean-up may be in a part of the function
	                  that no symbol names; else 0 */
};
struct dt_unwound_losses {
	dt_u64 calls;  /* that found no room */
	dt_u64 untold; /* exceptions of which nobody knows the calls */
};
#define DT_UNWOUND_CALLS 16384

/* ---- user stacks by unwind tables: unwind.bpf.c walks, libdtrace/process/unwinder.hpp fills the maps ---- */

#define DT_MAP_UNWIND "unwind"                     /* ARRAY, mmapable, 1 entry: struct dt_unwind */
#define DT_MAP_UNWIND_PROCESSES "unwind_processes" /* HASH: struct dt_unwind_process by process id (u32) */
/* ARRAY_OF_MAPS: chunks, each an mmapable ARRAY of 1 entry, made when they are needed. */
#define DT_MAP_UNWIND_MEMORY "unwind_memory"

#define DT_UNWIND_CHUNKS 256        /* 64 MiB at most */
#define DT_UNWIND_CHUNK_WORDS 65536 /* of 4 bytes */
#define DT_UNWIND_PROCESSES 4096    /* known at a time */
#define DT_UNWIND_WANTED 1024       /* a power of two */
#define DT_UNWIND_RULES 16384       /* a power of two; more different ones no machine has */
#define DT_UNWIND_PAGE_BITS 12      /* a page of a table covers so many bits of address */
#define DT_UNWIND_ROW_BITS 10       /* and has at most so many bits of rows */
#define DT_UNWIND_MAPPING_WORDS 8   /* of a chunk */
#define DT_UNWIND_MAPPING_BITS 10   /* of a process: at most so many bits of mappings */
#define DT_UNWIND_FRAMES 512        /* of a stack */
#define DT_UNWIND_ROW(low, rule) ((dt_u32)(low) | (dt_u32)(rule) << 16)

/* Behind the last frame, where there are more but nobody can tell which. */
#define DT_FRAMES_INCOMPLETE 1

/* How the caller's registers are found. Its pc is in the word before CFA and its stack pointer is CFA, the canonical
 * frame address. Words have 8 bytes, in 32-bit programs 4. */
#define DT_CFA_NONE 0 /* nobody knows */
#define DT_CFA_SP 1   /* stack pointer + cfa_offset */
#define DT_CFA_FP 2   /* frame pointer + cfa_offset */
#define DT_CFA_PLT 3  /* stack pointer + a word, or two when the low four bits of the pc are cfa_offset or more */
/* the kernel put the registers on the stack: struct ucontext; of 32-bit programs sigcontext_32, cfa_offset from the
 * stack pointer. */
#define DT_CFA_SIGNAL 4
#define DT_CFA_END 5   /* nobody called this */
#define DT_CFA_AT_SP 6 /* the word at stack pointer + low half of cfa_offset, + its high half */
#define DT_CFA_AT_FP 7 /* likewise of the frame pointer */
/* On machines whose calls leave the return address in a register (unwind_linked.bpf.c) the higher half of `cfa` says where
 * the caller's pc is. */
#define DT_CFA_BITS 15
#define DT_RA_BITS 4
#define DT_RA_LINK 1   /* still in that register */
#define DT_RA_BESIDE 2 /* in the word behind the saved frame pointer: CFA + fp_offset + 8 */
#define DT_RA_ALONE 3  /* at CFA + fp_offset; the frame pointer is as it was, or lost */
#define DT_RA_APART 4  /* at CFA + the high 12 bits of cfa_offset * 8; CFA has the others */
#define DT_FP_SAME 0   /* the frame pointer is as it was */
#define DT_FP_AT_CFA 1 /* saved at CFA + fp_offset */
#define DT_FP_AT_FP 2  /* saved at frame pointer + fp_offset */
#define DT_FP_LOST 3

struct dt_unwind_rule {
	unsigned char cfa, fp;
	short fp_offset;
	dt_s32 cfa_offset;
};

struct dt_unwind {
	dt_u32 generation;               /* of dt_unwind_process.used; grows with each look of the consumer */
	dt_u32 wanted[DT_UNWIND_WANTED]; /* processes that were met and are not known, by their low bits; 0: none */
	dt_u32 reserved;
	struct dt_unwind_rule rules[DT_UNWIND_RULES]; /* the first is DT_CFA_NONE */
};

/* What is known of a process: in a chunk, at a multiple of DT_UNWIND_MAPPING_WORDS words, `count` struct
 * dt_unwind_mapping in the order of addresses. */
struct dt_unwind_process {
	dt_u64 mm; /* its address space when it was first met; 0: not met yet. Another one: exec */
	dt_u32 chunk, at;
	dt_u32 count;
	dt_u32 used;   /* generation in which it was met last */
	dt_u32 narrow; /* a 32-bit program */
	dt_u32 reserved;
};

/* Addresses [start, end), which a table, or a part of one, says how to unwind. In `chunk`, from word `at` on: for each
 * page from `base` on, and for the one behind the last, the word where its rows begin, each DT_UNWIND_ROW(low bits of
 * the first address, rule), in the order of addresses. The first row of a page is that of its first address. */
struct dt_unwind_mapping {
	dt_u64 start, end, base;
	dt_u32 chunk, at;
};

/* Memory that compiled code lends: registers, where the walk is, and what it found. */
struct dt_walk {
	dt_u64 pc, sp, fp;
	dt_u64 process, mm;
	dt_u64 entry;   /* 1: a function begins at pc, and its caller's address is where the stack pointer is */
	dt_u64 returns; /* struct return_instance of the latest call whose return address the kernel has put its own in
	                   place of; 0: none */
	dt_u64 return_words; /* which words of it are stack, orig_ret_vaddr and next: a byte each, the first the lowest
	                      */
	dt_u64 back;         /* 1: pc is a return address, behind the call */
	dt_u64 count;
	dt_u64 wants;                    /* not 0: dt_unwind.wanted has something new */
	dt_u64 chunk, at, entries;       /* of the process */
	dt_u64 link;                     /* the register that has the return address of the latest call; 0: not known */
	dt_u64 record;                   /* 1: sp is only known not to be below itself; fp points to a frame record */
	struct dt_unwind_mapping latest; /* that an address was found in */
	dt_u64 saved[2];
	dt_u64 instance[8]; /* what `returns` points to */
	dt_u64 bytes;       /* of frames, what says that they are incomplete included */
	dt_u64 frames[DT_UNWIND_FRAMES];
};

#endif
