/* libdtrace(3): tracing from other programs.
 *
 * Names, types and constants are those that DTrace consumers have used for twenty years. Comments here and
 * libdtrace(3) describe the differences.
 *
 * A handle belongs to one thread at a time. Handles are independent, so each may have a thread of its own. The
 * library never ends the process, catches signals, or writes to streams that it was not given.
 */
#ifndef DTRACE_H
#define DTRACE_H

#include <elf.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

#define DTRACE_VERSION 3

#define DTRACE_PROVNAMELEN 64
#define DTRACE_MODNAMELEN 64
#define DTRACE_FUNCNAMELEN 192
#define DTRACE_NAMELEN 64
#define DTRACE_FULLNAMELEN (DTRACE_PROVNAMELEN + DTRACE_MODNAMELEN + DTRACE_FUNCNAMELEN + DTRACE_NAMELEN + 4)

typedef struct dtrace_hdl dtrace_hdl_t;
typedef struct dtrace_prog dtrace_prog_t;
typedef struct ps_prochandle dtrace_proc_t; /* a traced process, created by dtrace_proc_create() or
                                               dtrace_proc_grab() */

typedef uint32_t dtrace_id_t;
typedef uint32_t dtrace_epid_t;  /* EPID: identifies a pair of probe and clause */
typedef uint32_t dtrace_aggid_t;
typedef int64_t dtrace_aggvarid_t;
typedef int processorid_t;
typedef uint16_t dtrace_actkind_t;
typedef int64_t dtrace_optval_t;

/* ---- stability -------------------------------------------------------------------------------------------------- */

typedef uint8_t dtrace_stability_t;
#define DTRACE_STABILITY_INTERNAL 0
#define DTRACE_STABILITY_PRIVATE 1
#define DTRACE_STABILITY_OBSOLETE 2
#define DTRACE_STABILITY_EXTERNAL 3
#define DTRACE_STABILITY_UNSTABLE 4
#define DTRACE_STABILITY_EVOLVING 5
#define DTRACE_STABILITY_STABLE 6
#define DTRACE_STABILITY_STANDARD 7
#define DTRACE_STABILITY_MAX 7

typedef uint8_t dtrace_class_t;
#define DTRACE_CLASS_UNKNOWN 0
#define DTRACE_CLASS_CPU 1
#define DTRACE_CLASS_PLATFORM 2
#define DTRACE_CLASS_GROUP 3
#define DTRACE_CLASS_ISA 4
#define DTRACE_CLASS_COMMON 5
#define DTRACE_CLASS_MAX 5

typedef struct dtrace_attribute {
	dtrace_stability_t dtat_name;
	dtrace_stability_t dtat_data;
	dtrace_class_t dtat_class;
} dtrace_attribute_t;

/* ---- a handle --------------------------------------------------------------------------------------------------- */

#define DTRACE_O_NODEV 0x1 /* flag: the handle only compiles programs and needs no privileges */
#define DTRACE_O_NOSYS 0x2
#define DTRACE_O_LP64 0x4
#define DTRACE_O_ILP32 0x8

/* Error codes of dtrace_errno(). Codes below EDT_BASE are those of errno(3). */
enum {
	EDT_BASE = 1000,
	EDT_VERSION = EDT_BASE, /* unsupported version of the API */
	EDT_COMPILER,           /* error in the program; dtrace_errmsg() returns the message and position */
	EDT_BADOPTNAME,
	EDT_BADOPTVAL,
	EDT_BADOPTCTX,
	EDT_ACTIVE,  /* the operation is not allowed while tracing is active */
	EDT_NOPROG,  /* no program was enabled */
	EDT_ENABLE,  /* the kernel refused the programs */
	EDT_PROC,    /* a process could not be started or grabbed */
	EDT_NOPROBE,
	EDT_NOSYM,
	EDT_NOTYPE,
	EDT_BADAGG,  /* a walk's callback returned an unknown value */
	EDT_DIRABORT, /* a callback aborted the run */
	EDT_BADSPCV,
	EDT_TRACE,   /* error while reading or printing records */
	EDT_NOMOD,   /* an object, such as a kernel module, does not exist */
	EDT_FORMAT   /* invalid format, or one that does not match the records */
};

/* Opens a handle. The version must be DTRACE_VERSION. Returns null on failure and stores the error code in `*error`. */
extern dtrace_hdl_t *dtrace_open(int version, int flags, int *error);
extern void dtrace_close(dtrace_hdl_t *);
extern int dtrace_errno(dtrace_hdl_t *);
/* Returns the message of an error. The handle may be null. The message is valid until the next call for the handle. */
extern const char *dtrace_errmsg(dtrace_hdl_t *, int error);

/* Sets an option of -x; pragmas of programs may change it. Use a null value for an option without a value. */
#define DTRACEOPT_UNSET ((dtrace_optval_t)-2)
extern int dtrace_setopt(dtrace_hdl_t *, const char *name, const char *value);
/* Stores the option's value as a number: sizes in bytes, times in ns, 1 for an option without a value. For options
 * whose value is a string, stores DTRACEOPT_UNSET. */
extern int dtrace_getopt(dtrace_hdl_t *, const char *name, dtrace_optval_t *value);

/* ---- programs --------------------------------------------------------------------------------------------------- */

typedef enum {
	DTRACE_PROBESPEC_NONE = -1,
	DTRACE_PROBESPEC_PROVIDER = 0,
	DTRACE_PROBESPEC_MOD,
	DTRACE_PROBESPEC_FUNC,
	DTRACE_PROBESPEC_NAME
} dtrace_probespec_t;

#define DTRACE_C_CPP 0x0002   /* run cpp(1) first */
#define DTRACE_C_ZDEFS 0x0004 /* probe descriptions that match no probe are allowed */
#define DTRACE_C_EMPTY 0x0008 /* a program without clauses is allowed */
#define DTRACE_C_ARGREF 0x0010 /* unused macro arguments ($1 …) are allowed */
#define DTRACE_C_DEFARG 0x0800 /* missing macro arguments ($1 …) count as 0 and "" */

typedef struct dtrace_proginfo {
	dtrace_attribute_t dpi_descattr; /* minimum stability over the program's probe descriptions */
	dtrace_attribute_t dpi_stmtattr; /* minimum stability over the program's clauses */
	uint32_t dpi_aggregates; /* number of aggregations */
	uint32_t dpi_recgens;    /* number of clauses */
	uint32_t dpi_matches;    /* number of matching probes; a probe counts once per clause */
	uint32_t dpi_speculations; /* always 0 */
} dtrace_proginfo_t;

/* Compile a program. Return null on failure; dtrace_errmsg() then returns the message. A program lives as long as
 * its handle. */
extern dtrace_prog_t *dtrace_program_strcompile(dtrace_hdl_t *, const char *text, dtrace_probespec_t, unsigned flags,
    int argc, char *const argv[]);
extern dtrace_prog_t *dtrace_program_fcompile(dtrace_hdl_t *, FILE *, unsigned flags, int argc, char *const argv[]);
/* Enables a program: dtrace_go() will start it. */
extern int dtrace_program_exec(dtrace_hdl_t *, dtrace_prog_t *, dtrace_proginfo_t *);
extern void dtrace_program_info(dtrace_hdl_t *, dtrace_prog_t *, dtrace_proginfo_t *);

typedef struct dtrace_probedesc {
	dtrace_id_t dtpd_id;
	char dtpd_provider[DTRACE_PROVNAMELEN];
	char dtpd_mod[DTRACE_MODNAMELEN];
	char dtpd_func[DTRACE_FUNCNAMELEN];
	char dtpd_name[DTRACE_NAMELEN];
} dtrace_probedesc_t;

struct dtrace_difo;      /* code for DTrace's virtual machine; always null, because this library has none */
struct dtrace_predicate; /* predicate for DTrace's virtual machine; always null */

typedef struct dtrace_preddesc {
	struct dtrace_difo *dtpdd_difo;             /* always null */
	struct dtrace_predicate *dtpdd_predicate; /* always null */
} dtrace_preddesc_t;

/* Statements of a clause, in order. */
typedef struct dtrace_actdesc {
	struct dtrace_difo *dtad_difo; /* always null */
	struct dtrace_actdesc *dtad_next;
	dtrace_actkind_t dtad_kind;
	uint32_t dtad_ntuple; /* number of keys, for an aggregation */
	uint64_t dtad_arg;
	uint64_t dtad_uarg;
	int dtad_refcnt;
} dtrace_actdesc_t;

/* A probe description as written in the program, and the clause that it enables. */
typedef struct dtrace_ecbdesc {
	dtrace_actdesc_t *dted_action;
	dtrace_preddesc_t dted_pred;
	dtrace_probedesc_t dted_probe;
	uint64_t dted_uarg;
	int dted_refcnt;
} dtrace_ecbdesc_t;

typedef struct dtrace_stmtdesc {
	dtrace_ecbdesc_t *dtsd_ecbdesc;
	dtrace_actdesc_t *dtsd_action;
	dtrace_actdesc_t *dtsd_action_last;
	void *dtsd_aggdata;   /* always null */
	void *dtsd_fmtdata;   /* always null */
	void (*dtsd_callback)(void); /* always null */
	void *dtsd_data;      /* never used by the library; free for the caller */
	dtrace_attribute_t dtsd_descattr;
	dtrace_attribute_t dtsd_stmtattr;
} dtrace_stmtdesc_t;

typedef int dtrace_stmt_f(dtrace_hdl_t *, dtrace_prog_t *, dtrace_stmtdesc_t *, void *);
/* Calls the function for each probe description of each clause. Stops if the function returns a nonzero value, and
 * returns that value. Statements live as long as the handle. */
extern int dtrace_stmt_iter(dtrace_hdl_t *, dtrace_prog_t *, dtrace_stmt_f *, void *);

/* ---- running ---------------------------------------------------------------------------------------------------- */

typedef enum {
	DTRACE_STATUS_NONE, /* not started, or unchanged */
	DTRACE_STATUS_OKAY,
	DTRACE_STATUS_EXITED, /* exit() was called, or the traced processes have ended */
	DTRACE_STATUS_FILLED,
	DTRACE_STATUS_STOPPED
} dtrace_status_t;

typedef enum { DTRACE_WORKSTATUS_ERROR = -1, DTRACE_WORKSTATUS_OKAY, DTRACE_WORKSTATUS_DONE } dtrace_workstatus_t;

extern int dtrace_go(dtrace_hdl_t *);
extern int dtrace_stop(dtrace_hdl_t *);
/* Blocks until records can be read, or until the next periodic read is due. */
extern void dtrace_sleep(dtrace_hdl_t *);
extern int dtrace_status(dtrace_hdl_t *);

/* ---- records
 * ------------------------------------------------------------------------------------------------------ */

/* Kinds of actions. */
#define DTRACEACT_NONE 0
#define DTRACEACT_DIFEXPR 1
#define DTRACEACT_EXIT 2
#define DTRACEACT_PRINTF 3
#define DTRACEACT_PRINTA 4
#define DTRACEACT_LIBACT 5
#define DTRACEACT_TRACEMEM 6
#define DTRACEACT_TRACEMEM_DYNSIZE 7
#define DTRACEACT_PROC 0x0100
#define DTRACEACT_USTACK (DTRACEACT_PROC + 1)
#define DTRACEACT_JSTACK (DTRACEACT_PROC + 2)
#define DTRACEACT_USYM (DTRACEACT_PROC + 3)
#define DTRACEACT_UMOD (DTRACEACT_PROC + 4)
#define DTRACEACT_UADDR (DTRACEACT_PROC + 5)
#define DTRACEACT_PROC_DESTRUCTIVE 0x0200
#define DTRACEACT_STOP (DTRACEACT_PROC_DESTRUCTIVE + 1)
#define DTRACEACT_RAISE (DTRACEACT_PROC_DESTRUCTIVE + 2)
#define DTRACEACT_SYSTEM (DTRACEACT_PROC_DESTRUCTIVE + 3)
#define DTRACEACT_FREOPEN (DTRACEACT_PROC_DESTRUCTIVE + 4)
#define DTRACEACT_PROC_CONTROL 0x0300
#define DTRACEACT_KERNEL 0x0400
#define DTRACEACT_STACK (DTRACEACT_KERNEL + 1)
#define DTRACEACT_SYM (DTRACEACT_KERNEL + 2)
#define DTRACEACT_MOD (DTRACEACT_KERNEL + 3)
#define DTRACEACT_KERNEL_DESTRUCTIVE 0x0500
#define DTRACEACT_BREAKPOINT (DTRACEACT_KERNEL_DESTRUCTIVE + 1)
#define DTRACEACT_PANIC (DTRACEACT_KERNEL_DESTRUCTIVE + 2)
#define DTRACEACT_CHILL (DTRACEACT_KERNEL_DESTRUCTIVE + 3)
#define DTRACEACT_SPECULATIVE 0x0600
#define DTRACEACT_SPECULATE (DTRACEACT_SPECULATIVE + 1)
#define DTRACEACT_COMMIT (DTRACEACT_SPECULATIVE + 2)
#define DTRACEACT_DISCARD (DTRACEACT_SPECULATIVE + 3)
#define DTRACEACT_AGGREGATION 0x0700
#define DTRACEACT_CLASS(kind) ((kind) & 0xff00)
#define DTRACEACT_ISDESTRUCTIVE(kind)                                                                                  \
	(DTRACEACT_CLASS(kind) == DTRACEACT_PROC_DESTRUCTIVE || DTRACEACT_CLASS(kind) == DTRACEACT_KERNEL_DESTRUCTIVE)
#define DTRACEACT_ISSPECULATIVE(kind) (DTRACEACT_CLASS(kind) == DTRACEACT_SPECULATIVE)
#define DTRACEACT_ISPRINTFLIKE(kind)                                                                                   \
	((kind) == DTRACEACT_PRINTF || (kind) == DTRACEACT_PRINTA || (kind) == DTRACEACT_SYSTEM ||                     \
	 (kind) == DTRACEACT_FREOPEN)
#define DTRACEAGG_COUNT (DTRACEACT_AGGREGATION + 1)
#define DTRACEAGG_MIN (DTRACEACT_AGGREGATION + 2)
#define DTRACEAGG_MAX (DTRACEACT_AGGREGATION + 3)
#define DTRACEAGG_AVG (DTRACEACT_AGGREGATION + 4)
#define DTRACEAGG_SUM (DTRACEACT_AGGREGATION + 5)
#define DTRACEAGG_STDDEV (DTRACEACT_AGGREGATION + 6)
#define DTRACEAGG_QUANTIZE (DTRACEACT_AGGREGATION + 7)
#define DTRACEAGG_LQUANTIZE (DTRACEACT_AGGREGATION + 8)
#define DTRACEAGG_LLQUANTIZE (DTRACEACT_AGGREGATION + 9)
#define DTRACEAGG_OTHER (DTRACEACT_AGGREGATION + 0x80) /* aggregating functions that other DTraces lack; their values
                                                          have one word per bucket */
#define DTRACEACT_ISAGG(kind) (DTRACEACT_CLASS(kind) == DTRACEACT_AGGREGATION)

/* Buckets of quantize(): the middle one counts the value 0, the others the powers of two, negative below and
 * positive above. */
#define DTRACE_QUANTIZE_NBUCKETS 127
#define DTRACE_QUANTIZE_ZEROBUCKET 63
#define DTRACE_QUANTIZE_BUCKETVAL(bucket)                                                                              \
	((int64_t)((bucket) < DTRACE_QUANTIZE_ZEROBUCKET   ? -(1LL << (DTRACE_QUANTIZE_ZEROBUCKET - 1 - (bucket)))     \
	           : (bucket) == DTRACE_QUANTIZE_ZEROBUCKET ? 0                                                        \
	                                                    : 1LL << ((bucket) - DTRACE_QUANTIZE_ZEROBUCKET - 1)))

/* Parameters of a histogram in the word before its buckets: step, levels and base of lquantize(); factor, low, high
 * and steps of llquantize(). */
#define DTRACE_LQUANTIZE_STEP(word) ((uint16_t)((uint64_t)(word) >> 48))
#define DTRACE_LQUANTIZE_LEVELS(word) ((uint16_t)((uint64_t)(word) >> 32))
#define DTRACE_LQUANTIZE_BASE(word) ((int32_t)((uint64_t)(word)))
#define DTRACE_LLQUANTIZE_FACTOR(word) ((uint16_t)((uint64_t)(word) >> 48))
#define DTRACE_LLQUANTIZE_LOW(word) ((uint16_t)((uint64_t)(word) >> 32))
#define DTRACE_LLQUANTIZE_HIGH(word) ((uint16_t)((uint64_t)(word) >> 16))
#define DTRACE_LLQUANTIZE_NSTEP(word) ((uint16_t)((uint64_t)(word)))

typedef struct dtrace_recdesc {
	dtrace_actkind_t dtrd_action;
	uint32_t dtrd_size;   /* size of the record in bytes */
	uint32_t dtrd_offset; /* for aggregations: the record's offset in dtada_data */
	uint16_t dtrd_alignment;
	uint16_t dtrd_format; /* nonzero if the action has a format */
	uint64_t dtrd_arg;
	uint64_t dtrd_uarg;
} dtrace_recdesc_t;

typedef struct dtrace_eprobedesc {
	dtrace_epid_t dtepd_epid;
	dtrace_id_t dtepd_probeid;
	uint64_t dtepd_uarg;
	uint32_t dtepd_size;
	int dtepd_nrecs;
	dtrace_recdesc_t dtepd_rec[1];
} dtrace_eprobedesc_t;

typedef enum { DTRACEFLOW_ENTRY, DTRACEFLOW_RETURN, DTRACEFLOW_NONE } dtrace_flowkind_t;

typedef struct dtrace_probedata {
	dtrace_hdl_t *dtpda_handle;
	dtrace_eprobedesc_t *dtpda_edesc;
	dtrace_probedesc_t *dtpda_pdesc;
	processorid_t dtpda_cpu;
	caddr_t dtpda_data; /* in a record callback: address of the record's data */
	dtrace_flowkind_t dtpda_flow;
	const char *dtpda_prefix;
	int dtpda_indent;
	uint64_t dtpda_timestamp; /* time of the firing: CLOCK_MONOTONIC in ns */
} dtrace_probedata_t;

/* Return values of callbacks: abort the run with an error; continue, and print the record; continue without printing
 * the record; abort the run. */
#define DTRACE_CONSUME_ERROR (-1)
#define DTRACE_CONSUME_THIS 0
#define DTRACE_CONSUME_NEXT 1
#define DTRACE_CONSUME_ABORT 2

typedef int dtrace_consume_probe_f(const dtrace_probedata_t *, void *);
/* Called for each record of a firing, and with a null record after the last one. */
typedef int dtrace_consume_rec_f(const dtrace_probedata_t *, const dtrace_recdesc_t *, void *);

/* Reads records. Output goes to the stream or, if that is null, to the handler of dtrace_handle_buffered(). */
extern int dtrace_consume(dtrace_hdl_t *, FILE *, dtrace_consume_probe_f *, dtrace_consume_rec_f *, void *);
/* Combines dtrace_status() and dtrace_consume(). While tracing is active, also takes snapshots of the aggregations
 * like dtrace_aggregate_snap(), at the rate of option aggrate, and a last one at the end. */
extern dtrace_workstatus_t dtrace_work(dtrace_hdl_t *, FILE *, dtrace_consume_probe_f *, dtrace_consume_rec_f *, void *);

/* ---- aggregations ----------------------------------------------------------------------------------------------- */

typedef struct dtrace_aggdesc {
	char *dtagd_name; /* name without the @; "_" for the nameless aggregation */
	dtrace_aggvarid_t dtagd_varid;
	int dtagd_flags;
	dtrace_aggid_t dtagd_id;
	dtrace_epid_t dtagd_epid; /* EPID of the first clause that names the aggregation */
	uint32_t dtagd_size; /* size of dtada_data in bytes */
	int dtagd_nrecs;     /* number of records: one for the variable id, one per key, one for the value */
	uint32_t dtagd_pad;
	dtrace_recdesc_t dtagd_rec[1]; /* dtagd_nrecs records */
} dtrace_aggdesc_t;

/* Flags for optional members of dtrace_aggdata_t. */
#define DTRACE_A_PERCPU 0x0001       /* never set */
#define DTRACE_A_KEEPDELTA 0x0002    /* never set */
#define DTRACE_A_ANONYMOUS 0x0004    /* never set */
#define DTRACE_A_TOTAL 0x0008        /* dtada_total is set */
#define DTRACE_A_MINMAXBIN 0x0010    /* flag: dtada_minbin and dtada_maxbin are set */
#define DTRACE_A_HASNEGATIVES 0x0020 /* flag: an entry of the aggregation is negative */
#define DTRACE_A_HASPOSITIVES 0x0040

typedef struct dtrace_aggdata {
	dtrace_hdl_t *dtada_handle;
	dtrace_aggdesc_t *dtada_desc;
	dtrace_eprobedesc_t *dtada_edesc;  /* first clause that names the aggregation; its list of records is empty */
	dtrace_probedesc_t *dtada_pdesc;   /* first probe of the first clause that names the aggregation */
	caddr_t dtada_data;
	uint64_t dtada_normal; /* divisor of normalize() */
	size_t dtada_size;
	caddr_t dtada_delta;         /* always null */
	caddr_t *dtada_percpu;       /* always null */
	caddr_t *dtada_percpu_delta; /* always null */
	int64_t dtada_total;    /* sum of the absolute values of all entries; 0 for histograms */
	uint16_t dtada_minbin;  /* first and last bucket of a histogram that at least one entry uses */
	uint16_t dtada_maxbin;
	uint32_t dtada_flags;
} dtrace_aggdata_t;

#define DTRACE_AGGWALK_ERROR (-1)
#define DTRACE_AGGWALK_NEXT 0
#define DTRACE_AGGWALK_ABORT 1
#define DTRACE_AGGWALK_CLEAR 2     /* sets the entry's value to 0; later snapshots count only what is added after
                                      this one */
#define DTRACE_AGGWALK_NORMALIZE 3 /* stores dtada_normal as the entry's divisor */
#define DTRACE_AGGWALK_DENORMALIZE 4
#define DTRACE_AGGWALK_REMOVE 5    /* removes the entry until something is added to it */

typedef int dtrace_aggregate_f(const dtrace_aggdata_t *, void *);
/* Called with the entries that several aggregations have for one key. The first pointer is an entry that has the
 * key; then one entry per aggregation follows, in the order of the request. An aggregation that lacks the key gets
 * an entry with the initial value of its function. The integer is the number of all pointers. */
typedef int dtrace_aggregate_walk_joined_f(const dtrace_aggdata_t **, const int, void *);
typedef int dtrace_aggregate_walk_f(dtrace_hdl_t *, dtrace_aggregate_f *, void *);

extern int dtrace_aggregate_snap(dtrace_hdl_t *);
/* Clears all aggregations in the kernel and in the snapshot. */
extern void dtrace_aggregate_clear(dtrace_hdl_t *);
/* Prints the aggregations as at the end of a run, ordered by the options aggsort*. With a null stream, the handler of
 * dtrace_handle_buffered() receives one string per key, one for the value, and one for the end of each entry. With the
 * options agghist and aggpack, and for blame(), it receives many entries as one string. The walk function is ignored
 * and only exists for compatibility. */
extern int dtrace_aggregate_print(dtrace_hdl_t *, FILE *, dtrace_aggregate_walk_f *);

extern dtrace_aggregate_walk_f dtrace_aggregate_walk, dtrace_aggregate_walk_sorted, dtrace_aggregate_walk_keysorted,
    dtrace_aggregate_walk_valsorted, dtrace_aggregate_walk_keyvarsorted, dtrace_aggregate_walk_valvarsorted,
    dtrace_aggregate_walk_keyrevsorted, dtrace_aggregate_walk_valrevsorted, dtrace_aggregate_walk_keyvarrevsorted,
    dtrace_aggregate_walk_valvarrevsorted;

/* Walks over several aggregations at once: each call gets the entries with equal keys. The order is that of the
 * values of the first aggregation, or is set by the options aggsort*. Any return value but DTRACE_AGGWALK_NEXT ends
 * the walk. */
extern int dtrace_aggregate_walk_joined(dtrace_hdl_t *, dtrace_aggvarid_t *, int number, dtrace_aggregate_walk_joined_f *,
    void *);

/* Bucket of a histogram of any function: its bounds and its count. For tseries(), an interval that has a value: its first
 * and last ns since 1970-01-01 UTC, and the value before normalize(). */
typedef struct dtrace_bucket {
	int64_t dtb_low, dtb_high; /* bounds, both inclusive */
	int64_t dtb_count;
	unsigned dtb_flags;
	const char *dtb_name; /* for breakdown(): name of the part of the time, with its ns in dtb_count; else null */
} dtrace_bucket_t;
#define DTRACE_BUCKET_NOLOW 0x1  /* no lower bound */
#define DTRACE_BUCKET_NOHIGH 0x2
#define DTRACE_BUCKET_NEVER 0x4  /* the bucket contains no integer */

/* Stores at most `most` buckets of an entry, in order. Returns the total number of buckets. */
extern int dtrace_aggregate_buckets(dtrace_hdl_t *, const dtrace_aggdata_t *, dtrace_bucket_t *, int most);

/* ---- handlers --------------------------------------------------------------------------------------------------- */

#define DTRACE_HANDLE_ABORT (-1)
#define DTRACE_HANDLE_OK 0

typedef struct dtrace_errdata {
	dtrace_hdl_t *dteda_handle;
	dtrace_eprobedesc_t *dteda_edesc;
	dtrace_probedesc_t *dteda_pdesc;
	processorid_t dteda_cpu;
	int dteda_action;
	int dteda_offset;
	int dteda_fault; /* kind of fault: DTRACEFLT_*, see dtrace-output(7) */
	uint64_t dteda_addr;
	const char *dteda_msg;
} dtrace_errdata_t;
typedef int dtrace_handle_err_f(const dtrace_errdata_t *, void *);

typedef enum {
	DTRACEDROP_PRINCIPAL,
	DTRACEDROP_AGGREGATION,
	DTRACEDROP_DYNAMIC,
	DTRACEDROP_DYNRINSE,
	DTRACEDROP_DYNDIRTY,
	DTRACEDROP_SPEC,
	DTRACEDROP_SPECBUSY,
	DTRACEDROP_SPECUNAVAIL,
	DTRACEDROP_STKSTROVERFLOW,
	DTRACEDROP_DBLERROR,
	DTRACEDROP_OTHER /* a drop of another kind, which dtdda_msg describes */
} dtrace_dropkind_t;

typedef struct dtrace_dropdata {
	dtrace_hdl_t *dtdda_handle;
	processorid_t dtdda_cpu; /* -1: all CPUs */
	dtrace_dropkind_t dtdda_kind;
	uint64_t dtdda_drops;
	uint64_t dtdda_total;
	const char *dtdda_msg;
} dtrace_dropdata_t;
typedef int dtrace_handle_drop_f(const dtrace_dropdata_t *, void *);

#define DTRACE_BUFDATA_AGGKEY 0x0001    /* the string is a key */
#define DTRACE_BUFDATA_AGGVAL 0x0002    /* the string is a value */
#define DTRACE_BUFDATA_AGGFORMAT 0x0004 /* the string separates keys and values, or ends an entry */
#define DTRACE_BUFDATA_AGGLAST 0x0008   /* the string is the last one of the entry */

typedef struct dtrace_bufdata {
	dtrace_hdl_t *dtbda_handle;
	const char *dtbda_buffered;
	dtrace_probedata_t *dtbda_probe; /* record to which the output belongs; null if it belongs to no record */
	const dtrace_recdesc_t *dtbda_recdesc;
	const dtrace_aggdata_t *dtbda_aggdata; /* aggregation entry that is printed; null for output that belongs to no
                                           single entry */
	uint32_t dtbda_flags;
} dtrace_bufdata_t;
typedef int dtrace_handle_buffered_f(const dtrace_bufdata_t *, void *);

/* Passed to a handler when setopt() in a program has set an option. */
typedef struct dtrace_setoptdata {
	dtrace_hdl_t *dtsda_handle;
	const dtrace_probedata_t *dtsda_probe;
	const char *dtsda_option;
	dtrace_optval_t dtsda_oldval; /* values before and after the change, in the form of dtrace_getopt() */
	dtrace_optval_t dtsda_newval;
} dtrace_setoptdata_t;
typedef int dtrace_handle_setopt_f(const dtrace_setoptdata_t *, void *);

/* Called with a null message when a process of dtrace_proc_create() or dtrace_proc_grab() has ended.
 * dtrace_proc_getpid() returns its process id, dtrace_proc_status() its status. dtrace_status() and dtrace_work()
 * report each end once. */
typedef int dtrace_handle_proc_f(struct ps_prochandle *, const char *, void *);

/* Install a handler for an event and replace the previous handler. Events without a handler are ignored, and the run
 * continues. */
extern int dtrace_handle_err(dtrace_hdl_t *, dtrace_handle_err_f *, void *);
extern int dtrace_handle_drop(dtrace_hdl_t *, dtrace_handle_drop_f *, void *);
extern int dtrace_handle_buffered(dtrace_hdl_t *, dtrace_handle_buffered_f *, void *);
extern int dtrace_handle_setopt(dtrace_hdl_t *, dtrace_handle_setopt_f *, void *);
extern int dtrace_handle_proc(dtrace_hdl_t *, dtrace_handle_proc_f *, void *);

/* ---- formats ---------------------------------------------------------------------------------------------------- */

/* Parse a format of printf() or printa(). The result lives as long as the handle. Return null on failure;
 * dtrace_errmsg() then returns the message. */
extern void *dtrace_printf_create(dtrace_hdl_t *, const char *);
extern void *dtrace_printa_create(dtrace_hdl_t *, const char *);
/* Stores a format as a string in canonical form, truncated to `size` bytes including the NUL. Returns the full
 * length. */
extern size_t dtrace_printf_format(dtrace_hdl_t *, void *format, char *text, size_t size);
/* Prints a firing's data with a format; the records say where in the buffer each datum is. With a null stream,
 * output goes to the handler of dtrace_handle_buffered(). Returns the number of records that the format used. */
extern int dtrace_fprintf(dtrace_hdl_t *, FILE *, void *format, const dtrace_probedata_t *, const dtrace_recdesc_t *,
    unsigned number, const void *buffer, size_t size);
/* Prints aggregations with a format, in their current state. Each record contains the id of an aggregation, like the
 * records of printa(). Works only while tracing is active. */
extern int dtrace_fprinta(dtrace_hdl_t *, FILE *, void *format, const dtrace_probedata_t *, const dtrace_recdesc_t *,
    unsigned number, const void *buffer, size_t size);

/* ---- processes, probes and symbols ------------------------------------------------------------------------------ */

/* Start or grab a process before programs are compiled; it becomes $target and the target of pid probes. It is
 * stopped until dtrace_proc_continue() or dtrace_go(). */
extern dtrace_proc_t *dtrace_proc_create(dtrace_hdl_t *, const char *file, char *const *argv);
extern dtrace_proc_t *dtrace_proc_grab(dtrace_hdl_t *, pid_t, int flags);
extern pid_t dtrace_proc_getpid(dtrace_hdl_t *, dtrace_proc_t *);
/* Stores how a process that dtrace_proc_create() has started has ended, in the form of wait(2). Stores -1 if the
 * process still runs or was not started by this handle. */
extern int dtrace_proc_status(dtrace_hdl_t *, dtrace_proc_t *, int *status);
extern void dtrace_proc_continue(dtrace_hdl_t *, dtrace_proc_t *);
extern void dtrace_proc_release(dtrace_hdl_t *, dtrace_proc_t *);

typedef int dtrace_probe_f(dtrace_hdl_t *, const dtrace_probedesc_t *, void *);
/* Calls the function for each probe that matches the description; null or empty components match anything. Stops if
 * the function returns a nonzero value, and returns that value. */
extern int dtrace_probe_iter(dtrace_hdl_t *, const dtrace_probedesc_t *pattern, dtrace_probe_f *, void *);
/* Parses a probe description, "provider:module:function:name" or only its last components. */
extern int dtrace_str2desc(dtrace_hdl_t *, dtrace_probespec_t, const char *, dtrace_probedesc_t *);

/* Stores the text "module`function+offset" of a kernel address, truncated to `size` bytes including the NUL. Returns
 * the full length. */
extern int dtrace_addr2str(dtrace_hdl_t *, uint64_t address, char *text, int size);
/* Stores the text of a user address, like dtrace_addr2str(). */
extern int dtrace_uaddr2str(dtrace_hdl_t *, pid_t, uint64_t address, char *text, int size);

typedef Elf64_Addr GElf_Addr; /* same type as in libelf's gelf.h */
typedef Elf64_Sym GElf_Sym;

/* Description of a symbol. Its strings live as long as the handle. */
typedef struct dtrace_syminfo {
	const char *dts_object;
	const char *dts_name;
	unsigned long dts_id; /* always 0 */
} dtrace_syminfo_t;

struct ctf_file;
typedef struct dtrace_typeinfo {
	const char *dtt_object;   /* "D" for types of the D language; "" for types of any module */
	struct ctf_file *dtt_ctfp; /* null: libctf is not used */
	long dtt_type;            /* identifies the type: equal types have equal numbers */
	unsigned dtt_flags;
	const char *dtt_name;     /* the type's name in D syntax */
	uint64_t dtt_size;        /* size in bytes; 0 for incomplete types */
} dtrace_typeinfo_t;

/* Special object names, which stand for the kernel itself, any object, kernel modules, and objects of the first
 * process. */
#define DTRACE_OBJ_EXEC ((const char *)0L)
#define DTRACE_OBJ_EVERY ((const char *)-1L)
#define DTRACE_OBJ_KMODS ((const char *)-2L)
#define DTRACE_OBJ_UMODS ((const char *)-3L)

/* Looks up a symbol. The output pointers may be null. */
extern int dtrace_lookup_by_name(dtrace_hdl_t *, const char *object, const char *name, GElf_Sym *, dtrace_syminfo_t *);
/* Looks up a kernel address. */
extern int dtrace_lookup_by_addr(dtrace_hdl_t *, GElf_Addr, GElf_Sym *, dtrace_syminfo_t *);
/* Looks up a type such as "struct task_struct", "pid_t" or "union sigval *". */
extern int dtrace_lookup_by_type(dtrace_hdl_t *, const char *object, const char *name, dtrace_typeinfo_t *);

#define DTRACE_OBJ_F_KERNEL 0x1
#define DTRACE_OBJ_F_PRIMARY 0x2 /* the kernel itself */

typedef struct dtrace_objinfo {
	const char *dto_name;
	const char *dto_file; /* always null */
	int dto_id;           /* index of the object, from 0 */
	unsigned dto_flags;
	GElf_Addr dto_text_va; /* address range of a module; 0 if the kernel hides its addresses */
	uint64_t dto_text_size;
	GElf_Addr dto_data_va;
	uint64_t dto_data_size;
	GElf_Addr dto_bss_va;
	uint64_t dto_bss_size;
} dtrace_objinfo_t;

typedef int dtrace_obj_f(dtrace_hdl_t *, const dtrace_objinfo_t *, void *);
/* Calls the function for the kernel and its modules. Stops if the function returns a nonzero value, and returns that
 * value. */
extern int dtrace_object_iter(dtrace_hdl_t *, dtrace_obj_f *, void *);
extern int dtrace_object_info(dtrace_hdl_t *, const char *object, dtrace_objinfo_t *);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
