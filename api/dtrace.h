/* libdtrace(3): tracing from a program of one's own.
 *
 * Names, types and constants are those that consumers of DTrace have been written against for twenty years. What is
 * different here is said where it is, and in libdtrace(3).
 *
 * A handle belongs to one thread at a time; handles know nothing of one another, so each may have a thread of its own.
 * Nothing here ends the process, catches a signal or writes to a stream that it was not given.
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
typedef struct ps_prochandle dtrace_proc_t; /* of dtrace_proc_create() and dtrace_proc_grab() */

typedef uint32_t dtrace_id_t;
typedef uint32_t dtrace_epid_t;  /* a probe and a clause that it enables */
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

#define DTRACE_O_NODEV 0x1 /* programs are compiled and none is enabled: no privileges are needed */
#define DTRACE_O_NOSYS 0x2
#define DTRACE_O_LP64 0x4
#define DTRACE_O_ILP32 0x8

/* Errors of dtrace_errno(). Those below EDT_BASE are of errno(3). */
enum {
	EDT_BASE = 1000,
	EDT_VERSION = EDT_BASE, /* another version of the API is asked for */
	EDT_COMPILER,           /* the program has an error: dtrace_errmsg() says which, and where */
	EDT_BADOPTNAME,
	EDT_BADOPTVAL,
	EDT_BADOPTCTX,
	EDT_ACTIVE,  /* not while tracing is active */
	EDT_NOPROG,  /* nothing was enabled */
	EDT_ENABLE,  /* the kernel did not take what was enabled */
	EDT_PROC,    /* a process could not be started, or taken up */
	EDT_NOPROBE,
	EDT_NOSYM,
	EDT_NOTYPE,
	EDT_BADAGG,  /* the function of an aggregation's walk asked for what is not known */
	EDT_DIRABORT, /* a callback ended the run */
	EDT_BADSPCV,
	EDT_TRACE,   /* reading or printing what was recorded failed */
	EDT_NOMOD,   /* there is no such object */
	EDT_FORMAT   /* no format, or one that does not go with the records */
};

/* Null: `*error` says why. The version is DTRACE_VERSION. */
extern dtrace_hdl_t *dtrace_open(int version, int flags, int *error);
extern void dtrace_close(dtrace_hdl_t *);
extern int dtrace_errno(dtrace_hdl_t *);
/* Until the next call for the handle, which may be null. */
extern const char *dtrace_errmsg(dtrace_hdl_t *, int error);

/* Options as of -x, which programs change by pragmas. A null value: the option has none. */
#define DTRACEOPT_UNSET ((dtrace_optval_t)-2)
extern int dtrace_setopt(dtrace_hdl_t *, const char *name, const char *value);
/* What was set, as a number (sizes in bytes, times in ns, 1 for an option without a value); text has none, and is
 * DTRACEOPT_UNSET as well. */
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
#define DTRACE_C_ZDEFS 0x0004 /* descriptions may match nothing */
#define DTRACE_C_EMPTY 0x0008 /* there may be no program in it */
#define DTRACE_C_ARGREF 0x0010 /* arguments need not be used */
#define DTRACE_C_DEFARG 0x0800 /* arguments that are missing are 0 and "" */

typedef struct dtrace_proginfo {
	dtrace_attribute_t dpi_descattr; /* the least of its descriptions */
	dtrace_attribute_t dpi_stmtattr; /* the least of its clauses */
	uint32_t dpi_aggregates; /* aggregations that it names */
	uint32_t dpi_recgens;    /* clauses */
	uint32_t dpi_matches;    /* probes, each clause counted by itself */
	uint32_t dpi_speculations; /* 0 */
} dtrace_proginfo_t;

/* Null: the reasons are in dtrace_errmsg(). A program lives as long as its handle. */
extern dtrace_prog_t *dtrace_program_strcompile(dtrace_hdl_t *, const char *text, dtrace_probespec_t, unsigned flags,
    int argc, char *const argv[]);
extern dtrace_prog_t *dtrace_program_fcompile(dtrace_hdl_t *, FILE *, unsigned flags, int argc, char *const argv[]);
/* Enables it, once dtrace_go() is called. */
extern int dtrace_program_exec(dtrace_hdl_t *, dtrace_prog_t *, dtrace_proginfo_t *);
extern void dtrace_program_info(dtrace_hdl_t *, dtrace_prog_t *, dtrace_proginfo_t *);

typedef struct dtrace_probedesc {
	dtrace_id_t dtpd_id;
	char dtpd_provider[DTRACE_PROVNAMELEN];
	char dtpd_mod[DTRACE_MODNAMELEN];
	char dtpd_func[DTRACE_FUNCNAMELEN];
	char dtpd_name[DTRACE_NAMELEN];
} dtrace_probedesc_t;

struct dtrace_difo;      /* code of the original's virtual machine: there is none here */
struct dtrace_predicate; /* likewise */

typedef struct dtrace_preddesc {
	struct dtrace_difo *dtpdd_difo;             /* null */
	struct dtrace_predicate *dtpdd_predicate; /* null */
} dtrace_preddesc_t;

/* Statements of a clause, in their order. */
typedef struct dtrace_actdesc {
	struct dtrace_difo *dtad_difo; /* null */
	struct dtrace_actdesc *dtad_next;
	dtrace_actkind_t dtad_kind;
	uint32_t dtad_ntuple; /* of an aggregation: its keys */
	uint64_t dtad_arg;
	uint64_t dtad_uarg;
	int dtad_refcnt;
} dtrace_actdesc_t;

/* A probe description, as it is written, and the clause that it enables. */
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
	void *dtsd_aggdata;   /* null */
	void *dtsd_fmtdata;   /* null */
	void (*dtsd_callback)(void); /* null */
	void *dtsd_data;      /* the caller's */
	dtrace_attribute_t dtsd_descattr;
	dtrace_attribute_t dtsd_stmtattr;
} dtrace_stmtdesc_t;

typedef int dtrace_stmt_f(dtrace_hdl_t *, dtrace_prog_t *, dtrace_stmtdesc_t *, void *);
/* One for each description of each clause. Ends with what the function returns, if that is not 0. Statements live as
 * long as the handle. */
extern int dtrace_stmt_iter(dtrace_hdl_t *, dtrace_prog_t *, dtrace_stmt_f *, void *);

/* ---- running ---------------------------------------------------------------------------------------------------- */

typedef enum {
	DTRACE_STATUS_NONE, /* not yet, or as before */
	DTRACE_STATUS_OKAY,
	DTRACE_STATUS_EXITED, /* exit() was called, or what is traced has ended */
	DTRACE_STATUS_FILLED,
	DTRACE_STATUS_STOPPED
} dtrace_status_t;

typedef enum { DTRACE_WORKSTATUS_ERROR = -1, DTRACE_WORKSTATUS_OKAY, DTRACE_WORKSTATUS_DONE } dtrace_workstatus_t;

extern int dtrace_go(dtrace_hdl_t *);
extern int dtrace_stop(dtrace_hdl_t *);
/* Until something can be read, or it is time to look. */
extern void dtrace_sleep(dtrace_hdl_t *);
extern int dtrace_status(dtrace_hdl_t *);

/* ---- what was recorded ------------------------------------------------------------------------------------------ */

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
#define DTRACEAGG_OTHER (DTRACEACT_AGGREGATION + 0x80) /* of functions that DTrace does not have: words, one a bucket */
#define DTRACEACT_ISAGG(kind) (DTRACEACT_CLASS(kind) == DTRACEACT_AGGREGATION)

/* Buckets of quantize(): one of 0 in the middle, one of each power of two on either side. */
#define DTRACE_QUANTIZE_NBUCKETS 127
#define DTRACE_QUANTIZE_ZEROBUCKET 63
#define DTRACE_QUANTIZE_BUCKETVAL(bucket)                                                                              \
	((int64_t)((bucket) < DTRACE_QUANTIZE_ZEROBUCKET   ? -(1LL << (DTRACE_QUANTIZE_ZEROBUCKET - 1 - (bucket)))     \
	           : (bucket) == DTRACE_QUANTIZE_ZEROBUCKET ? 0                                                        \
	                                                    : 1LL << ((bucket) - DTRACE_QUANTIZE_ZEROBUCKET - 1)))

/* The word in front of the buckets of lquantize() has step, levels and base; of llquantize() factor, low, high, steps. */
#define DTRACE_LQUANTIZE_STEP(word) ((uint16_t)((uint64_t)(word) >> 48))
#define DTRACE_LQUANTIZE_LEVELS(word) ((uint16_t)((uint64_t)(word) >> 32))
#define DTRACE_LQUANTIZE_BASE(word) ((int32_t)((uint64_t)(word)))
#define DTRACE_LLQUANTIZE_FACTOR(word) ((uint16_t)((uint64_t)(word) >> 48))
#define DTRACE_LLQUANTIZE_LOW(word) ((uint16_t)((uint64_t)(word) >> 32))
#define DTRACE_LLQUANTIZE_HIGH(word) ((uint16_t)((uint64_t)(word) >> 16))
#define DTRACE_LLQUANTIZE_NSTEP(word) ((uint16_t)((uint64_t)(word)))

typedef struct dtrace_recdesc {
	dtrace_actkind_t dtrd_action;
	uint32_t dtrd_size;   /* bytes */
	uint32_t dtrd_offset; /* of an aggregation: in dtada_data */
	uint16_t dtrd_alignment;
	uint16_t dtrd_format; /* not 0: the action has a format */
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
	caddr_t dtpda_data; /* in a record's callback: the record's */
	dtrace_flowkind_t dtpda_flow;
	const char *dtpda_prefix;
	int dtpda_indent;
	uint64_t dtpda_timestamp; /* CLOCK_MONOTONIC ns */
} dtrace_probedata_t;

/* What callbacks return: the run is to end with an error; the library goes on with it (and prints a record); it was
 * dealt with; the run is to end. */
#define DTRACE_CONSUME_ERROR (-1)
#define DTRACE_CONSUME_THIS 0
#define DTRACE_CONSUME_NEXT 1
#define DTRACE_CONSUME_ABORT 2

typedef int dtrace_consume_probe_f(const dtrace_probedata_t *, void *);
/* A null record: the firing has no more. */
typedef int dtrace_consume_rec_f(const dtrace_probedata_t *, const dtrace_recdesc_t *, void *);

/* Text goes to the stream; with a null one to the function of dtrace_handle_buffered(). */
extern int dtrace_consume(dtrace_hdl_t *, FILE *, dtrace_consume_probe_f *, dtrace_consume_rec_f *, void *);
/* dtrace_status() and dtrace_consume(). While tracing is active it takes a snapshot of the aggregations, as
 * dtrace_aggregate_snap() does, no more often than option aggrate says; at the end it takes the last one. */
extern dtrace_workstatus_t dtrace_work(dtrace_hdl_t *, FILE *, dtrace_consume_probe_f *, dtrace_consume_rec_f *, void *);

/* ---- aggregations ----------------------------------------------------------------------------------------------- */

typedef struct dtrace_aggdesc {
	char *dtagd_name; /* without the @; "_" is the one that has none */
	dtrace_aggvarid_t dtagd_varid;
	int dtagd_flags;
	dtrace_aggid_t dtagd_id;
	dtrace_epid_t dtagd_epid; /* of the clause that names it first */
	uint32_t dtagd_size; /* bytes of dtada_data */
	int dtagd_nrecs;     /* the first is the variable's number, then come the keys, and last the value */
	uint32_t dtagd_pad;
	dtrace_recdesc_t dtagd_rec[1]; /* dtagd_nrecs of them */
} dtrace_aggdesc_t;

/* What of dtrace_aggdata_t has a value. */
#define DTRACE_A_PERCPU 0x0001       /* never set */
#define DTRACE_A_KEEPDELTA 0x0002    /* never set */
#define DTRACE_A_ANONYMOUS 0x0004    /* never set */
#define DTRACE_A_TOTAL 0x0008        /* dtada_total */
#define DTRACE_A_MINMAXBIN 0x0010    /* dtada_minbin and dtada_maxbin */
#define DTRACE_A_HASNEGATIVES 0x0020 /* some entry of the aggregation is less than 0 */
#define DTRACE_A_HASPOSITIVES 0x0040

typedef struct dtrace_aggdata {
	dtrace_hdl_t *dtada_handle;
	dtrace_aggdesc_t *dtada_desc;
	dtrace_eprobedesc_t *dtada_edesc;  /* the clause that names it first, with no records */
	dtrace_probedesc_t *dtada_pdesc;   /* the first probe of that clause */
	caddr_t dtada_data;
	uint64_t dtada_normal; /* of normalize() */
	size_t dtada_size;
	caddr_t dtada_delta;         /* null */
	caddr_t *dtada_percpu;       /* null */
	caddr_t *dtada_percpu_delta; /* null */
	int64_t dtada_total;    /* sum of all entries of the aggregation, each without its sign; of histograms 0 */
	uint16_t dtada_minbin;  /* of a histogram: the first bucket that some entry has something in, and the last */
	uint16_t dtada_maxbin;
	uint32_t dtada_flags;
} dtrace_aggdata_t;

#define DTRACE_AGGWALK_ERROR (-1)
#define DTRACE_AGGWALK_NEXT 0
#define DTRACE_AGGWALK_ABORT 1
#define DTRACE_AGGWALK_CLEAR 2     /* its value is 0, and later snapshots have what is added from this one on */
#define DTRACE_AGGWALK_NORMALIZE 3 /* by dtada_normal, as it is now */
#define DTRACE_AGGWALK_DENORMALIZE 4
#define DTRACE_AGGWALK_REMOVE 5    /* likewise, and it is not there until something is added */

typedef int dtrace_aggregate_f(const dtrace_aggdata_t *, void *);
/* One key of several aggregations: the first is one that has it, then they come in the order in which they were asked
 * for; where one does not have the key its value is what a function begins with. The number is that of all pointers. */
typedef int dtrace_aggregate_walk_joined_f(const dtrace_aggdata_t **, const int, void *);
typedef int dtrace_aggregate_walk_f(dtrace_hdl_t *, dtrace_aggregate_f *, void *);

extern int dtrace_aggregate_snap(dtrace_hdl_t *);
/* In the kernel and in the snapshot. */
extern void dtrace_aggregate_clear(dtrace_hdl_t *);
/* As at the end of a run, in the order of options aggsort*: the function is for compatibility alone. */
extern int dtrace_aggregate_print(dtrace_hdl_t *, FILE *, dtrace_aggregate_walk_f *);

extern dtrace_aggregate_walk_f dtrace_aggregate_walk, dtrace_aggregate_walk_sorted, dtrace_aggregate_walk_keysorted,
    dtrace_aggregate_walk_valsorted, dtrace_aggregate_walk_keyvarsorted, dtrace_aggregate_walk_valvarsorted,
    dtrace_aggregate_walk_keyrevsorted, dtrace_aggregate_walk_valrevsorted, dtrace_aggregate_walk_keyvarrevsorted,
    dtrace_aggregate_walk_valvarrevsorted;

/* These, which must have the same keys, by values of the first, or as options aggsort* say. Functions return
 * DTRACE_AGGWALK_NEXT, or the walk ends. */
extern int dtrace_aggregate_walk_joined(dtrace_hdl_t *, dtrace_aggvarid_t *, int number, dtrace_aggregate_walk_joined_f *,
    void *);

/* A bucket of any function that draws a histogram: what falls into it, and how much there was. */
typedef struct dtrace_bucket {
	int64_t dtb_low, dtb_high; /* both included */
	int64_t dtb_count;
	unsigned dtb_flags;
	const char *dtb_name; /* breakdown(): the part, whose ns are in dtb_count; else null */
} dtrace_bucket_t;
#define DTRACE_BUCKET_NOLOW 0x1  /* there is no bound on that side */
#define DTRACE_BUCKET_NOHIGH 0x2
#define DTRACE_BUCKET_NEVER 0x4  /* no integer falls into it */

/* Of an entry of the snapshot: the buckets in their order, at most so many. Returns how many there are. */
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
	int dteda_fault; /* DTRACEFLT_*, as in dtrace-output(7) */
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
	DTRACEDROP_OTHER /* dtdda_msg says of what */
} dtrace_dropkind_t;

typedef struct dtrace_dropdata {
	dtrace_hdl_t *dtdda_handle;
	processorid_t dtdda_cpu; /* -1: of all */
	dtrace_dropkind_t dtdda_kind;
	uint64_t dtdda_drops;
	uint64_t dtdda_total;
	const char *dtdda_msg;
} dtrace_dropdata_t;
typedef int dtrace_handle_drop_f(const dtrace_dropdata_t *, void *);

#define DTRACE_BUFDATA_AGGKEY 0x0001    /* it is a key */
#define DTRACE_BUFDATA_AGGVAL 0x0002    /* it is a value */
#define DTRACE_BUFDATA_AGGFORMAT 0x0004 /* it comes of a format, and of all of an entry */
#define DTRACE_BUFDATA_AGGLAST 0x0008   /* nothing more comes of this entry */

typedef struct dtrace_bufdata {
	dtrace_hdl_t *dtbda_handle;
	const char *dtbda_buffered;
	dtrace_probedata_t *dtbda_probe; /* null: it is no record's */
	const dtrace_recdesc_t *dtbda_recdesc;
	const dtrace_aggdata_t *dtbda_aggdata;
	uint32_t dtbda_flags;
} dtrace_bufdata_t;
typedef int dtrace_handle_buffered_f(const dtrace_bufdata_t *, void *);

/* A program's setopt() has set an option. */
typedef struct dtrace_setoptdata {
	dtrace_hdl_t *dtsda_handle;
	const dtrace_probedata_t *dtsda_probe;
	const char *dtsda_option;
	dtrace_optval_t dtsda_oldval; /* as of dtrace_getopt() */
	dtrace_optval_t dtsda_newval;
} dtrace_setoptdata_t;
typedef int dtrace_handle_setopt_f(const dtrace_setoptdata_t *, void *);

/* With a null text: a process of dtrace_proc_create() or dtrace_proc_grab() has ended. Each is told once, by
 * dtrace_status() and dtrace_work(). */
typedef int dtrace_handle_proc_f(pid_t, const char *, void *);

/* The last one given is called. Without one nobody is told, and the run goes on. */
extern int dtrace_handle_err(dtrace_hdl_t *, dtrace_handle_err_f *, void *);
extern int dtrace_handle_drop(dtrace_hdl_t *, dtrace_handle_drop_f *, void *);
extern int dtrace_handle_buffered(dtrace_hdl_t *, dtrace_handle_buffered_f *, void *);
extern int dtrace_handle_setopt(dtrace_hdl_t *, dtrace_handle_setopt_f *, void *);
extern int dtrace_handle_proc(dtrace_hdl_t *, dtrace_handle_proc_f *, void *);

/* ---- formats ---------------------------------------------------------------------------------------------------- */

/* A format of printf() or printa() in D, kept as long as the handle. Null: dtrace_errmsg() says what is wrong. */
extern void *dtrace_printf_create(dtrace_hdl_t *, const char *);
extern void *dtrace_printa_create(dtrace_hdl_t *, const char *);
/* Its text, with one spelling of all that mean the same; as much as fits and a NUL. Returns the whole length. */
extern size_t dtrace_printf_format(dtrace_hdl_t *, void *format, char *text, size_t size);
/* Prints records that lie at their offsets in the buffer; with a null stream to the function of
 * dtrace_handle_buffered(). Returns how many the format took. */
extern int dtrace_fprintf(dtrace_hdl_t *, FILE *, void *format, const dtrace_probedata_t *, const dtrace_recdesc_t *,
    unsigned number, const void *buffer, size_t size);
/* The same of whole aggregations, as they are now: each record has the number of one, as those of printa() have. Only
 * while tracing is active. */
extern int dtrace_fprinta(dtrace_hdl_t *, FILE *, void *format, const dtrace_probedata_t *, const dtrace_recdesc_t *,
    unsigned number, const void *buffer, size_t size);

/* ---- processes, probes and symbols ------------------------------------------------------------------------------ */

/* Before programs are compiled: $target, and what pid probes mean. The process is held until dtrace_proc_continue(),
 * or dtrace_go(). */
extern dtrace_proc_t *dtrace_proc_create(dtrace_hdl_t *, const char *file, char *const *argv);
extern dtrace_proc_t *dtrace_proc_grab(dtrace_hdl_t *, pid_t, int flags);
extern pid_t dtrace_proc_getpid(dtrace_hdl_t *, dtrace_proc_t *);
/* How one of dtrace_proc_create() has ended, as wait(2) has it; of one that runs, or was not started here, -1. */
extern int dtrace_proc_status(dtrace_hdl_t *, dtrace_proc_t *, int *status);
extern void dtrace_proc_continue(dtrace_hdl_t *, dtrace_proc_t *);
extern void dtrace_proc_release(dtrace_hdl_t *, dtrace_proc_t *);

typedef int dtrace_probe_f(dtrace_hdl_t *, const dtrace_probedesc_t *, void *);
/* Each probe that there is of the description; null or an empty part: any. Ends with what the function returns, if that
 * is not 0. */
extern int dtrace_probe_iter(dtrace_hdl_t *, const dtrace_probedesc_t *pattern, dtrace_probe_f *, void *);
/* "provider:module:function:name", or its last parts. */
extern int dtrace_str2desc(dtrace_hdl_t *, dtrace_probespec_t, const char *, dtrace_probedesc_t *);

/* "module`function+offset" of an address of the kernel, as much as fits and a NUL; returns the whole length. */
extern int dtrace_addr2str(dtrace_hdl_t *, uint64_t address, char *text, int size);
/* The same of an address of a process. */
extern int dtrace_uaddr2str(dtrace_hdl_t *, pid_t, uint64_t address, char *text, int size);

typedef Elf64_Addr GElf_Addr; /* as gelf.h of libelf has them */
typedef Elf64_Sym GElf_Sym;

/* Texts live as long as the handle. */
typedef struct dtrace_syminfo {
	const char *dts_object;
	const char *dts_name;
	unsigned long dts_id; /* 0 */
} dtrace_syminfo_t;

struct ctf_file;
typedef struct dtrace_typeinfo {
	const char *dtt_object;   /* "D": the language has it; "": some module */
	struct ctf_file *dtt_ctfp; /* null: types come from elsewhere */
	long dtt_type;            /* the same type has the same number */
	unsigned dtt_flags;
	const char *dtt_name;     /* as D writes it */
	uint64_t dtt_size;        /* bytes; 0: of what is not complete */
} dtrace_typeinfo_t;

/* In place of the name of an object: the kernel itself, any, those of the kernel, those of the first process. */
#define DTRACE_OBJ_EXEC ((const char *)0L)
#define DTRACE_OBJ_EVERY ((const char *)-1L)
#define DTRACE_OBJ_KMODS ((const char *)-2L)
#define DTRACE_OBJ_UMODS ((const char *)-3L)

/* The result, and the information, may be null where they are not wanted. */
extern int dtrace_lookup_by_name(dtrace_hdl_t *, const char *object, const char *name, GElf_Sym *, dtrace_syminfo_t *);
/* Of the kernel. */
extern int dtrace_lookup_by_addr(dtrace_hdl_t *, GElf_Addr, GElf_Sym *, dtrace_syminfo_t *);
/* "struct task_struct", "pid_t", "union sigval *". */
extern int dtrace_lookup_by_type(dtrace_hdl_t *, const char *object, const char *name, dtrace_typeinfo_t *);

#define DTRACE_OBJ_F_KERNEL 0x1
#define DTRACE_OBJ_F_PRIMARY 0x2 /* the kernel itself */

typedef struct dtrace_objinfo {
	const char *dto_name;
	const char *dto_file; /* null */
	int dto_id;           /* from 0 */
	unsigned dto_flags;
	GElf_Addr dto_text_va; /* of a module: all that is loaded of it; 0: the kernel hides its addresses */
	uint64_t dto_text_size;
	GElf_Addr dto_data_va;
	uint64_t dto_data_size;
	GElf_Addr dto_bss_va;
	uint64_t dto_bss_size;
} dtrace_objinfo_t;

typedef int dtrace_obj_f(dtrace_hdl_t *, const dtrace_objinfo_t *, void *);
/* The kernel and its modules. Ends with what the function returns, if that is not 0. */
extern int dtrace_object_iter(dtrace_hdl_t *, dtrace_obj_f *, void *);
extern int dtrace_object_info(dtrace_hdl_t *, const char *object, dtrace_objinfo_t *);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
