/* The interface between the BPF programs and the consumer. Both BPF programs in C and C++ code include it and assert
 * the sizes.
 *
 * The names below are those of the kernel objects of a run. These objects live only as long as the run, unless -x pin
 * pins them in the BPF file system. */
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
/* PERF_EVENT_ARRAY: principal buffers, one perf buffer per CPU; max_entries is set at load time. */
#define DT_MAP_BUFFERS "buffers"
/* ARRAY_OF_MAPS by CPU. If the CPU's mmap ring is open, the element is an mmapable ARRAY with one struct dt_mmap_ring.
 * max_entries is set at load time. */
#define DT_MAP_MMAP_RINGS "mmap_rings"
#define DT_MAP_LOSSES "losses" /* ARRAY, mmapable: struct dt_losses by CPU; max_entries is set at load time */
/* ARRAY: scratch slots, DT_SLOTS per CPU, at [cpu * DT_SLOTS + level]; max_entries is set at load time. */
#define DT_MAP_SCRATCH "scratch"
/* PERCPU_ARRAY, 1 entry: aggregations without keys. Each consists of a word `touched` (not 0: the aggregation has a
 * value) and the words of the value. If they need more than one map, further maps _2 … exist. */
#define DT_MAP_AGGS "aggs"
#define DT_MAP_CGROUP "cgroup" /* CGROUP_ARRAY, 1 entry: the control group of -x cgroup; filled when loaded */
/* HASH, with -x followchildren: maps the id of a child process to the id of the -c or -p process from which it descends
 * (both u32). */
#define DT_MAP_FOLLOWED "followed"
#define DT_MAP_WAKEUP "wakeup"             /* RINGBUF of one page, for reader wakeups: dt_state.reader_state */
#define DT_MAP_ACTIVE_EPOCH "active_epoch" /* ARRAY, mmapable: u64 by CPU, see DT_HANDOVER; max_entries is set at
                                              load time */
#define DT_MAP_SELF "self"                 /* TASK_STORAGE: all self-> scalars of a thread in one value */
#define DT_SECTION_STATE ".bss" /* libbpf makes one mmapable ARRAY of this section: struct dt_state first, then the D
                                   globals */

/* mmapable ARRAY: struct dt_spec by speculation id. Entry 0 is special: `serial` is the number of speculations begun
 * and, if several ids exist, `bytes` is the number of ids in use. */
#define DT_SECTION_SPEC ".data.spec"

/* mmapable ARRAY, with -x pin: the number of samples written to the principal buffers, and the number read by tracers.
 * For a new tracer, the difference is the number of samples that its predecessor lost when it ended. */
#define DT_SECTION_SENT ".data.sent"
struct dt_sent {
	dt_u64 sent;        /* samples that the programs have written */
	dt_u64 reserved[7]; /* keeps `sent` and `read` in separate cache lines */
	dt_u64 read;        /* samples that tracers have read; written by the tracer */
	dt_u64 reserved2[7];
};

/* mmapable ARRAY: by aggregation id, the number of keys in the aggregation's overflow map (u64). */
#define DT_SECTION_OVERFLOW_KEYS ".data.overflow"
/* The per-CPU hash of an aggregation with keys has an overflow: an ARRAY_OF_MAPS of one entry, "<its
 * name>_overflow". Keys that do not fit into the per-CPU hash go to the HASH in that entry, with the CPU as 8
 * additional bytes of the key. The consumer replaces this HASH by a larger one before it is full. */
#define DT_OVERFLOW_SUFFIX "_overflow"
/* If keys may be long but usually are not, a PERCPU_HASH "NAME_short" exists too. It stores the keys whose words beyond
 * a fixed offset are all zero, and omits these words. When it is full, such keys go to the hash of long keys. */
#define DT_SHORT_KEYS_SUFFIX "_short"

#define DT_SLOTS 4 /* scratch slots per CPU, one per nesting level: task, softirq, hardirq, NMI. A task that preempts
                      another takes a free slot too */

/* Activity of the run: values of dt_state.activity. If it is not ACTIVE, every program except those of BEGIN and END
 * returns at once. */
#define DT_INACTIVE 0
#define DT_ACTIVE 1
#define DT_HANDOVER 2
#define DT_DRAINING 3
#define DT_STOPPED 4

/* Atomic handover: while one trace replaces another at the same hooks, dt_state.activity of both is DT_HANDOVER.
 * Each CPU has an element of DT_MAP_ACTIVE_EPOCH, and only the trace whose dt_state.epoch equals this element
 * records on the CPU. One store by that CPU switches to the other trace, at a point where no firing can be between
 * the two traces' programs. So each firing is recorded by exactly one trace. */

/* Reader wakeup: dt_state.reader_state, a word that says whether the consumer sleeps. The consumer of an idle trace
 * sleeps for long. Before it sleeps, it sets ASLEEP. A moment later it checks once more for samples, because programs
 * may have sent samples before they could see the word. A program that has sent a sample, or needs the consumer, checks
 * the word. If the word is ASLEEP, the program changes it to WAKING, writes to the ring buffer "wakeup" (which wakes
 * the consumer), and sets AWAKE. While the word is WAKING, neither other programs nor the consumer change it, even if
 * the waking program is interrupted inside the ring buffer's lock. An AWAKE consumer polls. A program whose data must
 * be read before the next poll sets WAKING, wakes the consumer, and sets AWAKE again. */
#define DT_READER_AWAKE 0
#define DT_READER_ASLEEP 1
#define DT_READER_WAKING 2

/* Timing switches, with -x cost: dt_state.timing_switches, indexed by the program's timing switch (Schema). While the
 * timing switch of a program is off, the program neither counts nor times firings and does not check the activity. So
 * all timing switches must be on when the activity changes from DT_ACTIVE to another value.
 */
#define DT_TIMING_SWITCHES 8
#define DT_TIMING_SWITCH_OTHER (DT_TIMING_SWITCHES - 1) /* timing switch for program calls that are not firings of a
                                                           probe */
struct dt_timing_switch {
	dt_u32 off;          /* DT_ACTIVE if off, 0 if on */
	dt_u32 extra_weight; /* number of further firings that each counted firing represents */
	dt_u32 weight;       /* number of firings that each counted one represents (extra_weight + 1); 0 if all are counted */
	dt_u32 reserved;
};

struct dt_state {
	dt_u32 activity;
	dt_u32 exiting;         /* exit() was called: no clause starts any more, except END */
	dt_s64 boot_to_wall_ns; /* CLOCK_REALTIME - CLOCK_MONOTONIC, set by the consumer before BEGIN */
	dt_u64 zero; /* always 0, but the verifier does not know that: x ^ zero makes the verifier forget everything
                 about x */
	dt_u64 tracer_frames;   /* number of innermost frames in a raw tracepoint's kernel stack that belong to the tracer
                            and its program; 0: unknown */
	dt_u64 exit_status;     /* argument of the last exit(); its low 8 bits are used */
	dt_u64 test_run_frames; /* number of innermost frames in a kernel stack of BEGIN or END that belong to the tracer,
                            which runs their programs itself */
	dt_u64 reader_state;    /* state of the reader: DT_READER_AWAKE, … */
	dt_u64 freezing;        /* not 0: a freeze() record was lost for lack of room since the consumer last checked */
	dt_u64 lease; /* with -x pin: CLOCK_MONOTONIC time at which the trace stops, unless a tracer extends it; 0: never */
	dt_u64 epoch;           /* number of traces before this one in a sequence of traces that replaced one another:
                            DT_HANDOVER */
	struct dt_timing_switch timing_switches[DT_TIMING_SWITCHES];
};

/* Counters of lost events, by CPU and reason. They only grow; updates are atomic additions. */
struct dt_losses {
	dt_u64 principal;   /* samples lost because the perf buffer was full */
	dt_u64 aggregation; /* updates lost because a new key had no room in an aggregation */
	dt_u64 dynamic;     /* assignments lost because a self-> variable or an array element had no room */
	dt_u64 speculation; /* speculative buffer full */
	dt_u64 spec_unavailable;
	dt_u64 nesting;      /* no free scratch slot: the firing is lost */
	dt_u64 double_error; /* a fault inside an ERROR clause */
	dt_u64 no_memory;    /* updates lost because the kernel had no free memory for a new key, although the map had room */
	/* Two counters that are not losses: the dynamic variables that programs have created and deleted, with
	 * dynvarpolicy=lru. The kernel does not report evictions, so the tracer computes their number with these
	 * counters. */
	dt_u64 created;
	dt_u64 deleted;
};

/* Header of every sample; `size` counts header and data. Data are laid out by StatementSchema: fields at their natural
 * alignment, in multiples of 8 bytes. In a perf buffer the time is that of the record (PERF_SAMPLE_TIME,
 * CLOCK_MONOTONIC); for the mmap ring see struct dt_mmap_ring. */
struct dt_sample {
	dt_u32 size;
	dt_u32 spec; /* serial number of the sample's speculation; 0: none */
	dt_u32 probe;
	dt_u32 stmt;
};

/* Bit of dt_sample.size, with -x hits: the firing has already sent another sample. */
#define DT_SAMPLE_CONTINUES 0x80000000u

/* The mmap ring of a CPU. The consumer opens it in addition to the perf buffer when many samples arrive. Writing to the
 * ring takes a fifth of the time, because no helper and no lock is needed.
 *
 * Writing: a program reserves space by advancing `written` with a compare-and-exchange. If an interrupting program
 * wins, or the ring is full, the sample goes to the perf buffer. The program copies the sample, then its time (not
 * included in `size`), and finally the sample's first word. Reading: the reader waits until this word is not 0, and
 * zeroes a sample before it releases the space. Layout: position p is at data[p % DT_MMAP_RING_BYTES]. A sample near
 * the end of the ring continues in the additional bytes after it. */
#define DT_MMAP_RING_BYTES (2u << 20)   /* size of the ring in bytes; a power of two */
#define DT_MMAP_RING_MAX_SAMPLE 16384   /* maximum bytes of a sample with its time; longer samples use the perf
                                           buffer */
#define DT_MMAP_RING_WAKEUP_BYTES 65536 /* bytes between two wakeups of the consumer; a power of two */
struct dt_mmap_ring {
	dt_u64 written;
	dt_u64 reserved[7]; /* keeps `written` and `read` in separate cache lines */
	dt_u64 read;        /* bytes read so far; written by the reader */
	dt_u64 reserved2[7];
	unsigned char data[DT_MMAP_RING_BYTES + DT_MMAP_RING_MAX_SAMPLE];
};

/* dt_sample.stmt of a fault report; its data is struct dt_fault. */
#define DT_STMT_FAULT 0xffffffffu

struct dt_fault {
	dt_u32 stmt;  /* statement that faulted; dt_sample.probe is the probe */
	dt_u32 code;  /* DTRACEFLT_*: dtrace-output(7), FAULTS AND DROPS */
	dt_s64 pc;    /* instruction index inside the clause, -1 unknown */
	dt_u64 value; /* value that caused the fault: address, size or index */
};

/* State of a speculation id. Each successful speculation() also gets a unique serial number (it repeats only after
 * 2^32 calls), which its samples carry. commit() or discard() only clears the serial number in this struct, so the
 * id can be reused at once, even if samples of the previous speculation are still in a buffer. */
struct dt_spec {
	dt_u64 serial; /* serial number; 0: the id is free */
	dt_u64 bytes;  /* bytes of the speculation's samples so far, headers included */
	dt_u64 time;   /* time of the speculation's last sample, or slightly earlier; 0: no sample exists */
};

/* min(v) is stored as u64 INT64_MAX - v, and max(v) as v - INT64_MIN. Values are combined with unsigned max, so 0 is
 * the initial value of both functions. It must be 0, because the kernel creates zeroed slots for the CPUs that did
 * not insert the key. */

/* Description of a probe in a program that serves several probes: section .data.ecb, an array indexed by the number
 * that the hook passes (its selector). `probe` 0 marks an unused element. Bit i of `mask` means that the program's
 * i-th statement applies; the length of `mask` depends on the program. */
struct dt_ecb {
	dt_u32 probe;
	dt_u32 prov, mod, func, name; /* string ids: Schema::names */
	dt_u32 counted;               /* index of the probe's dt_hits (-x hits) and dt_cost (-x cost) */
	dt_u32 process;               /* process to which the probe belongs: PlannedProbe */
	dt_u32 reserved;
	dt_u64 mask[];
};

/* Outcomes of firings, with -x hits: an array by CPU (or one set for all CPUs: schema.hpp), then by probe and
 * program. */
#define DT_SECTION_HITS ".data.hits"
struct dt_hits {
	dt_u64 filtered; /* firings in which no predicate was true */
	dt_u64 recorded;
	dt_u64 lost;  /* firings lost completely or partly; struct dt_losses has the reasons */
	dt_u64 begun; /* number of started firings; counted first, so it equals the sum of the other members while no
                  program runs */
};

/* Outcomes of each clause's runs (struct dt_hits), by statement id. */
#define DT_SECTION_CLAUSE_HITS ".data.clause_hits"

/* Cost of firings, with -x cost: by CPU (or one set for all CPUs: schema.hpp), then by probe and program. A program
 * counts each firing while its timing switch is on (dt_timing_switch) and times some of them, rarely enough that
 * reading the clock does not dominate. A timed firing represents all firings since the previous timed one. The entries
 * of probes are followed by entries for program calls that were not firings of a probe. */
#define DT_SECTION_COSTS ".data.costs"
struct dt_cost {
	dt_u64 fired;
	dt_u64 next;    /* ordinal of the next firing to time */
	dt_u64 counted; /* number of firings up to the last timed one */
	dt_u64 timed;
	dt_u64 ns;          /* ns of all counted firings, estimated from the timed firings */
	dt_u64 reading;     /* ns that the clock readings took, in all timed firings */
	dt_u64 sampled;     /* part of `fired` that comes from firings with a weight, each of which represents further
                        firings that were not counted (dt_timing_switch.weight) */
	dt_u64 reserved;    /* padding, so that the struct fills a cache line */
};

/* Distribution of firing times over all CPUs: by statement id, then by probe unless there are too many probes. A time
 * of v ns is in bucket v if v is below 4. Above, each power of two has four buckets. */
#define DT_SECTION_COST_TIMES ".data.cost_times"
#define DT_COST_BUCKETS 124
struct dt_cost_times {
	dt_u64 timed;
	dt_u64 ns;   /* ns of all timed firings */
	dt_u64 most; /* longest time of a firing in ns */
	dt_u64 reserved;
	dt_u64 firings[DT_COST_BUCKETS];
};

/* State of a firing that is being timed, in the stack frame of the firing's program. */
struct dt_timed_hit {
	dt_u64 weight; /* number of firings that this one represents; 0: this firing is not timed */
	dt_u64 since;  /* time at which the current clause of the firing began */
	dt_u64 ns;     /* ns of the firing's previous clauses */
};

/* Sampling of firings, with -x maxcost: by CPU (or one set for all CPUs: schema.hpp), then by probe and program. A
 * sampled firing represents all firings since the previous sampled one; their number is its weight. */
#define DT_SECTION_SAMPLING ".data.sampling"
#define DT_SAMPLING_SCALE_ONE 256   /* value of `scale` that means a factor of 1 */
#define DT_SAMPLING_MAX_PERIOD 4096 /* maximum of `period` */
struct dt_sampling {
	dt_u64 seen;            /* number of firings so far */
	dt_u64 next_sampled;    /* ordinal of the next firing to sample */
	dt_u64 last_sampled;    /* ordinal of the last sampled firing */
	dt_u64 period;          /* mean distance of sampled firings, set by the tracer; 0 or 1: all are sampled */
	dt_u64 scale; /* factor for the weights of sampled firings, which makes up for the time in which the program was
                  off. Set by the tracer; DT_SAMPLING_SCALE_ONE means 1, and 0 means no factor */
	dt_u64 total_weight;    /* number of firings that all sampled firings represent */
	dt_u64 window; /* number of the sampling window. Entry/return pairs that began in another window are ignored.
                   The tracer sets this number, except for its low DT_FAMILY_BITS bits. They are the number of the group
                   of variables that connects the probes of a pair */
	dt_u32 role;            /* role of the probe: 0 none, 1 begins entry/return pairs, 2 continues them */
	dt_u32 weight_fraction; /* fraction by which the last weight was rounded down; it is added to the next weight.
                            (The struct has eight words, so each CPU has a cache line of its own) */
};

#define DT_FAMILY_BITS 4

/* Runs of a timer probe's program on its CPU. The tracer knows how many runs to expect. If the kernel has skipped a
 * tick, the tracer shortens the timer for a moment and allows one more run. */
#define DT_SECTION_TICKS ".data.ticks" /* mmapable ARRAY of struct dt_ticks, by ProgramPlan::tick */
struct dt_tick {
	dt_u64 ran;
	dt_u64 limit; /* the program runs its clauses while `ran` is below this limit */
};

/* avg(): the number of values, then their sum as two signed words: a low word, and a high word in units of 2^64.
 * stddev(): the same three words, and the 192-bit sum of the squares, low word first. */
#define DT_AVG_WORDS 3
#define DT_STDDEV_WORDS 6

/* tseries(): a ring of slots, one for each interval of the wall-clock time (timestamp + boot_to_wall_ns). The interval
 * with the number n = time / interval is in slot n % count. A slot contains a stamp, the words of the function that is
 * applied to the interval, and the stamp again. The stamp is n + 1, or 0 in a slot that was never used. A slot is
 * valid if both stamps are equal: the program writes the first one before the words, and the second one after them. */
#define DT_TSERIES_SLOT_WORDS(value_words) ((value_words) + 2)
#define DT_TSERIES_MAX 1000    /* maximum number of intervals: a per-CPU value has at most 32 KiB */
#define DT_TSERIES_MAX_AVG 800 /* maximum number of intervals with "avg", whose slots are larger */

#define DT_QUANTIZE_BUCKETS 127
#define DT_QUANTIZE_ZERO 63

/* hquantize(): on either side of 0, bucket n contains the magnitudes above base^(n - 2) up to base^(n - 1), with base
 * 2^(2^-schema). The last bucket ends at 2^63. After the buckets come the low 64 bits of the sum of the values. */
#define DT_HQUANTIZE_MAX_SCHEMA 5
#define DT_HQUANTIZE_SIDE(schema) ((63 << (schema)) + 1)
#define DT_HQUANTIZE_BUCKETS(schema) (2 * DT_HQUANTIZE_SIDE(schema) + 1)
#define DT_HQUANTIZE_WORDS(schema) (DT_HQUANTIZE_BUCKETS(schema) + 1)

/* 2^63 * 2^(n / 32) for n from 1 to 31, truncated: the bucket bounds of schema 5 within an octave. None of the exact
 * bounds is an integer, so a 64-bit number is above the exact bound if it is above the truncated one. */
#define DT_HQUANTIZE_BOUNDS(X) \
	X(1, 0x82cd8698ac2ba1d7ULL) X(2, 0x85aac367cc487b14ULL) X(3, 0x88980e8092da8527ULL) X(4, 0x8b95c1e3ea8bd6e6ULL) \
	X(5, 0x8ea4398b45cd53c0ULL) X(6, 0x91c3d373ab11c336ULL) X(7, 0x94f4efa8fef70961ULL) X(8, 0x9837f0518db8a96fULL) \
	X(9, 0x9b8d39b9d54e5538ULL) X(10, 0x9ef5326091a111adULL) X(11, 0xa27043030c496818ULL) X(12, 0xa5fed6a9b15138eaULL) \
	X(13, 0xa9a15ab4ea7c0ef8ULL) X(14, 0xad583eea42a14ac6ULL) X(15, 0xb123f581d2ac258fULL) X(16, 0xb504f333f9de6484ULL) \
	X(17, 0xb8fbaf4762fb9ee9ULL) X(18, 0xbd08a39f580c36beULL) X(19, 0xc12c4cca66709456ULL) X(20, 0xc5672a115506daddULL) \
	X(21, 0xc9b9bd866e2f27a2ULL) X(22, 0xce248c151f8480e3ULL) X(23, 0xd2a81d91f12ae45aULL) X(24, 0xd744fccad69d6af4ULL) \
	X(25, 0xdbfbb797daf23755ULL) X(26, 0xe0ccdeec2a94e111ULL) X(27, 0xe5b906e77c8348a8ULL) X(28, 0xeac0c6e7dd24392eULL) \
	X(29, 0xefe4b99bdcdaf5cbULL) X(30, 0xf5257d152486cc2cULL) X(31, 0xfa83b2db722a033aULL)

/* ---- stopping processes when they load libraries: loader_stop.bpf.c, libdtrace/process/loader_hook.hpp ---- */
#define DT_LOADER_STOP_PROCESSES 32768

/* ---- calls left by an exception: abandoned_calls.bpf.c, libdtrace/attach/abandoned_calls.hpp ---- */
/* Values in the low 32 bits of a hook's cookie: the position of the hook in the library that unwinds stacks. */
#define DT_UNWINDER_FRAME 0 /* the library inspects a frame, given an address in the frame's code */
/* an exception is thrown: frames up to its handler are inspected, then inspected again and left. */
#define DT_UNWINDER_RAISE 1
#define DT_UNWINDER_RESUME 2     /* unwinding continues after a clean-up */
#define DT_UNWINDER_FORCED 3     /* a thread ends: all frames are left */
#define DT_UNWINDER_RETHROW 4    /* a caught exception is rethrown: like RAISE, or like RESUME if a thread ends */
#define DT_UNWINDER_SEARCH 5     /* from now on, frames are only inspected and not left */
#define DT_UNWINDER_UNREPORTED 6 /* an exception is thrown without reports of frames */

struct dt_abandoned_call {
	dt_u32 process, origin; /* `process`: process of the call. `origin`: the -c or -p process from which it
                            descends, or the process itself */
	dt_u64 forced;
	dt_u64 pc;         /* pc in the abandoned call */
	dt_u64 cleanup_pc; /* if the function's clean-up code has run: pc of the call before the clean-up, because this
                       code may be in an unnamed part of the function. Otherwise 0 */
};
struct dt_abandoned_losses {
	dt_u64 calls;      /* number of abandoned calls for which there was no room */
	dt_u64 unreported; /* number of exceptions whose abandoned calls could not be determined */
};
#define DT_ABANDONED_CALLS 16384

/* ---- user stacks by unwind tables: unwind.bpf.c walks, libdtrace/stacks/unwinder.hpp fills the maps ---- */

#define DT_MAP_UNWIND "unwind"                     /* ARRAY, mmapable, 1 entry: struct dt_unwind */
#define DT_MAP_UNWIND_PROCESSES "unwind_processes" /* HASH: struct dt_unwind_process by process id (u32) */
/* ARRAY_OF_MAPS of chunks, each an mmapable ARRAY of 1 entry, created on demand. */
#define DT_MAP_UNWIND_MEMORY "unwind_memory"

#define DT_UNWIND_CHUNKS 256        /* maximum number of chunks, which have 64 MiB together */
#define DT_UNWIND_CHUNK_WORDS 65536 /* size of a chunk in words of 4 bytes */
#define DT_UNWIND_PROCESSES 4096    /* maximum number of processes with tables at a time */
#define DT_UNWIND_WANTED 1024       /* size of dt_unwind.wanted; a power of two */
#define DT_UNWIND_RULES 16384       /* maximum number of rules, a power of two; no machine has more distinct rules */
#define DT_UNWIND_PAGE_BITS 12      /* log2 of the bytes of address space that a page of a table covers */
#define DT_UNWIND_ROW_BITS 10       /* log2 of the maximum number of rows in a page */
#define DT_UNWIND_MAPPING_WORDS 8   /* size of struct dt_unwind_mapping in 4-byte words */
#define DT_UNWIND_MAPPING_BITS 10   /* log2 of the maximum number of mappings of a process */
#define DT_UNWIND_FRAMES 512        /* maximum number of frames of a stack */
#define DT_UNWIND_ROW(low, rule) ((dt_u32)(low) | (dt_u32)(rule) << 16)

/* Marker after the last frame if further frames exist but cannot be found. */
#define DT_FRAMES_INCOMPLETE 1

/* `cfa` of a rule: how to find the CFA (canonical frame address). The caller's pc is in the word before the CFA, and
 * the caller's stack pointer is the CFA. Words have 8 bytes, in 32-bit programs 4. */
#define DT_CFA_NONE 0 /* the CFA is not known */
#define DT_CFA_SP 1   /* the CFA is stack pointer + cfa_offset */
#define DT_CFA_FP 2   /* the CFA is frame pointer + cfa_offset */
#define DT_CFA_PLT 3  /* the CFA is stack pointer + one word, or two words if the low four bits of the pc are at
                         least cfa_offset */
/* a signal frame: the kernel has saved the registers on the stack, in struct ucontext. For 32-bit programs it has saved
 * them in struct sigcontext_32, at stack pointer + cfa_offset */
#define DT_CFA_SIGNAL 4
#define DT_CFA_END 5   /* outermost frame, without a caller */
#define DT_CFA_AT_SP 6 /* the CFA is the word at (stack pointer + low half of cfa_offset), plus the high half of
                          cfa_offset */
#define DT_CFA_AT_FP 7 /* the CFA is the word at (frame pointer + low half of cfa_offset), plus the high half of
                          cfa_offset */
/* On machines that pass the return address in a register (unwind_linked.bpf.c), the high half of `cfa` gives the
 * location of the caller's pc. */
#define DT_CFA_BITS 15
#define DT_RA_BITS 4
#define DT_RA_LINK 1         /* the caller's pc is still in the link register */
#define DT_RA_AFTER_FP 2     /* the caller's pc is in the word after the saved frame pointer: CFA + fp_offset + 8 */
#define DT_RA_AT_FP_OFFSET 3 /* the caller's pc is at CFA + fp_offset; the frame pointer is unchanged or lost */
#define DT_RA_AT_CFA_HIGH 4  /* the caller's pc is at CFA + 8 * (high 12 bits of cfa_offset) */
#define DT_FP_SAME 0         /* `fp` of a rule: the frame pointer is unchanged */
#define DT_FP_AT_CFA 1       /* the caller's frame pointer is saved at CFA + fp_offset */
#define DT_FP_AT_FP 2        /* the caller's frame pointer is saved at frame pointer + fp_offset */
#define DT_FP_LOST 3

struct dt_unwind_rule {
	unsigned char cfa, fp;
	short fp_offset;
	dt_s32 cfa_offset;
};

struct dt_unwind {
	dt_u32 generation;               /* current generation, which programs store in dt_unwind_process.used; the
                                     consumer increments it at each check */
	dt_u32 wanted[DT_UNWIND_WANTED]; /* ids of encountered processes without tables, indexed by the id's low bits; 0:
                                     none */
	dt_u32 reserved;
	struct dt_unwind_rule rules[DT_UNWIND_RULES]; /* rules[0] is DT_CFA_NONE */
};

/* A process with tables. Its mappings are `count` struct dt_unwind_mapping in `chunk`, sorted by address; `at` is
 * their position in units of DT_UNWIND_MAPPING_WORDS words. */
struct dt_unwind_process {
	dt_u64 mm; /* address of the process's mm_struct when a program first encountered the process; 0: not encountered
               yet. Another value now means that the process called exec() */
	dt_u32 chunk, at;
	dt_u32 count;
	dt_u32 used;     /* generation in which a program last encountered the process */
	dt_u32 is_32bit; /* not 0: the process is a 32-bit program */
	dt_u32 reserved;
};

/* A mapping, or a part of it, at the addresses [start, end), and its table or part of a table. An index begins at word
 * `at` of `chunk`. For each page from `base` on, the index contains the position of the page's first row. The last
 * element of the index is the position after the last row. Each row is DT_UNWIND_ROW(low bits of the first address,
 * rule); rows are sorted by address. The first row of a page has the page's first address. */
struct dt_unwind_mapping {
	dt_u64 start, end, base;
	dt_u32 chunk, at;
};

/* Working memory provided by compiled code: registers, the position of the walk, and the frames found. */
struct dt_walk {
	dt_u64 pc, sp, fp;
	dt_u64 process, mm;
	dt_u64 entry;        /* 1: pc is at the start of a function, so its return address is at the stack pointer */
	dt_u64 returns; /* struct return_instance of the latest call whose return address the kernel has replaced; 0: none */
	dt_u64 return_words; /* indices of the words stack, orig_ret_vaddr and next in struct return_instance: one byte
                         each, the lowest byte first */
	dt_u64 back;         /* 1: pc is a return address, after the call instruction */
	dt_u64 count;
	dt_u64 wants;                    /* not 0: dt_unwind.wanted has a new entry */
	dt_u64 chunk, at, entries;       /* location of the process's mappings, and their number */
	dt_u64 link;                     /* link register: return address of the latest call; 0: not known */
	dt_u64 record;                   /* 1: sp is only a lower bound of the stack pointer, and fp points to a frame
	                                record */
	struct dt_unwind_mapping latest; /* last mapping found */
	dt_u64 saved[2];
	dt_u64 instance[8]; /* copy of the struct return_instance at `returns` */
	dt_u64 bytes;       /* size of `frames` in bytes, including the marker of incomplete stacks */
	dt_u64 frames[DT_UNWIND_FRAMES];
};

#endif
