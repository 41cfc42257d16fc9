/* Runs compiled D inside a program. A file written by `dtrace -x save=FILE` is loaded, and its clauses run when the
 * program calls the engine at its own probe sites. Neither the kernel, nor root, nor another process is involved.
 *
 *     dt_engine *engine = dt_engine_open("shop.o", message, sizeof message);
 *     int sale = dt_engine_probe(engine, "shop*:::sale");
 *     ...
 *     uint64_t words[] = {id, (uintptr_t)item};
 *     dt_engine_fire(engine, sale, words, 2);
 *     ...
 *     dt_engine_drain(engine, print_record, NULL);
 *     dt_engine_close(engine);
 *
 * An object works in the kernel too. dt_engine_share() lets an engine use the global variables of a `dtrace` run
 * with the same script, so that kernel and program exchange data through them.
 *
 * Threads: every function except dt_engine_close() may be called from any thread at any time. An engine serves one call
 * at a time; other callers wait. A firing takes a microsecond or less, so waiting is rare; a program whose threads fire
 * continuously should open an engine for each. self-> variables belong to the calling thread. Do not call the engine
 * from signal handlers.
 *
 * Memory: the engine owns everything that it returns. Arguments of a callback are valid until the callback returns;
 * names and variables until dt_engine_close(). The object's bytes are not needed after dt_engine_load().
 *
 * Safety: a program is checked while it runs, or before if it is compiled to machine code. Reads of unmapped addresses
 * fail as in the kernel. So D can neither crash nor hang its host program. Destructive actions do nothing here.
 *
 * Not available: kernel variables and functions, stacks, and probes whose programs expect arguments in kernel memory.
 * Members of a task other than pid, tgid and comm read as 0. cpu is 0, and execname is the name that the thread had at
 * its first firing.
 *
 * Errors: functions that return a pointer return NULL, others return -1; dt_engine_error() has the reason. Link with
 * -ldtrace_engine. */
#ifndef DTRACE_ENGINE_H
#define DTRACE_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dt_engine dt_engine;

/* ---- objects ---- */

/* Both functions load a saved object. On failure they return NULL and store the reason in `message`, which may be
 * NULL. */
dt_engine* dt_engine_open(const char* file, char* message, size_t room);
dt_engine* dt_engine_load(const void* object, size_t size, char* message, size_t room);

/* Frees the engine. No other function may use it at the same time or later. NULL is allowed. */
void dt_engine_close(dt_engine* engine);

/* Returns why the last call in this thread failed. */
const char* dt_engine_error(void);

/* ---- probes ---- */

/* Return the number of probes, and the full name of each: "provider:module:function:name". */
int dt_engine_probes(const dt_engine* engine);
const char* dt_engine_probe_name(const dt_engine* engine, int probe);

/* Returns the first probe that matches a description, as in D: "BEGIN", "sale", "shop*:::sale". An empty part matches
 * anything, and * ? [] are patterns. Providers of a process contain its pid: "shop1207". Returns -1 if none matches. */
int dt_engine_probe(const dt_engine* engine, const char* description);

/* Runs the clauses of a probe. `words` are its arguments, arg0 first; missing ones are 0. Returns 0, or -1 if the
 * clauses could not run to their end. BEGIN is an ordinary probe here and fires only when this function is called. */
int dt_engine_fire(dt_engine* engine, int probe, const uint64_t* words, unsigned count);

/* ---- records ---- */

enum dt_value_kind { DT_NUMBER, DT_UNSIGNED, DT_TEXT, DT_BYTES };

typedef struct dt_value {
    enum dt_value_kind kind;
    int64_t number;    /* for DT_NUMBER: the value; for DT_UNSIGNED: the value after a cast to uint64_t */
    const char* bytes; /* for DT_TEXT: the text, which ends with a NUL; for DT_BYTES: the bytes */
    size_t size;       /* size of `bytes`, without the NUL */
} dt_value;

/* One action of one firing. A fault is an action too: "fault", whose values are the fault's code (dtrace-errors(7)) and
 * the address or number that caused it. */
typedef struct dt_record {
    const char* probe;  /* full name of the probe that fired */
    const char* clause; /* probe description of the clause, as in the script */
    const char* action; /* "printf", "trace", ... */
    const char* format; /* for printf(): its format; NULL for other actions */
    uint64_t time;      /* time of the firing in nanoseconds of CLOCK_MONOTONIC */
    const dt_value* values;
    unsigned count;
} dt_record;

/* Calls `each` for the records since the last call, in order. Speculative records appear when they are committed.
 * Returns the number of records. `each` may call functions of the engine. */
long dt_engine_drain(dt_engine* engine, void (*each)(const dt_record* record, void* context), void* context);

/* Returns the number of firings and records lost so far for lack of room. An engine stores up to 65,536 samples until
 * they are drained. */
uint64_t dt_engine_lost(dt_engine* engine);

/* Calls `each` with the value of every key of @name ("_" for @ alone), sorted by the keys' bytes; for an aggregation
 * without keys once, with n_keys 0. `words` depend on the function: count, sum, min and max have one word. Histograms
 * have a count for each bucket, and hquantize has the sum of the values as its last word. avg has three words: the
 * number of values, the low 64 bits of their sum as a signed number, and a signed multiple of 2^64 to add. stddev has
 * these three and the sum of squares in 64-bit words, lowest first. tseries has a slot for each interval. Interval n
 * begins at n times its length in ns since 1970, and has the slot with the index n modulo the number of slots. A slot
 * consists of n + 1, the words of the interval's function, and n + 1 again. Returns the number of keys. */
typedef void dt_aggregation_value(const dt_value* keys, unsigned n_keys, const int64_t* words, unsigned n_words,
                                  void* context);
long dt_engine_aggregation(dt_engine* engine, const char* name, dt_aggregation_value* each, void* context);

/* Returns the address of a global variable, valid until the engine is closed. The program may read and set it; clauses
 * in other threads, or in the kernel after dt_engine_share(), may access it at the same time. Associative arrays have
 * no address: they are maps. */
void* dt_engine_variable(dt_engine* engine, const char* name, size_t* size);

/* Calls `each` with the bytes of every element of a map, or of an associative array given by its D name. Returns the
 * number of elements. */
typedef void dt_element(const void* key, size_t key_size, const void* value, size_t value_size, void* context);
long dt_engine_map(dt_engine* engine, const char* name, dt_element* each, void* context);

/* ---- shared variables ---- */

/* Replaces the global variables by those of a run of the same script in the process `tracer` (with `dtrace -c`, the
 * parent). While that run is not active, nothing fires here. Needs CAP_SYS_ADMIN, permission to inspect the tracer, and
 * a script with the same globals. Call it before the first firing. Associative arrays and self-> variables stay
 * separate unless both sides were compiled with -x sharedvars for the same names; aggregations always stay separate. */
int dt_engine_share(dt_engine* engine, int tracer);

/* ---- tracers that attach while the program runs ----
 *
 *     static dt_site request = {.function = "serve", .name = "request", .types = "int, unsigned long"};
 *     dt_site* const sites[] = {&request};
 *     dt_listener* listener = dt_engine_listen("app", sites, 1, NULL);
 *     ...
 *     if (DT_SITE_IS_ENABLED(&request)) {
 *         uint64_t words[] = {id, size};
 *         dt_engine_hit(&request, words, 2);
 *     }
 *
 * and `dtrace -p PID -n 'app$target:::request { @[arg0] = quantize(arg1); }'` runs its clauses here, in this process,
 * without a kernel trap and without root. The program is checked before or while it runs. Records go to memory that
 * both processes map, so a tracer that is slow, stopped or killed does not block the program. */

typedef struct dt_listener dt_listener;

/* A probe site of the program. It must be static, and must not move while a listener exists. */
typedef struct dt_site {
    const char* function; /* function part of the probe's name, or NULL */
    const char* name;     /* name of the probe at this site */
    const char* types;    /* C types of its arguments: "int, const char *"; NULL: numbers */
    /* Private to the library: */
    unsigned tracers; /* number of tracers with clauses for the site */
    unsigned number;
    dt_listener* listener;
} dt_site;

/* Tests whether a tracer has clauses for the site. Costs one load and one branch. */
#define DT_SITE_IS_ENABLED(site) __builtin_expect(__atomic_load_n(&(site)->tracers, __ATOMIC_RELAXED) != 0, 0)

/* Limits of a tracer's program; 0 selects the default. */
typedef struct dt_limits {
    uint64_t memory;       /* bytes of the program's maps and data; default 64 MiB. Records have an additional 16 MiB */
    uint64_t instructions; /* maximum instructions of one program each time a site is hit; default 100,000 */
} dt_limits;

/* Allows tracers of the same user, or root, to attach through an abstract Unix socket whose name contains the pid. The
 * probes are PROVIDERpid:program:function:name. A process can have one listener; a child of fork(2) has none. `limits`
 * may be NULL. Starts a thread, and another one for each tracer; signals are not delivered to them. */
dt_listener* dt_engine_listen(const char* provider, dt_site* const* sites, unsigned count, const dt_limits* limits);

/* Closes the listener. No site may be hit at the same time or later. NULL is allowed. */
void dt_engine_unlisten(dt_listener* listener);

/* Runs the clauses of all tracers that trace the site. Errors in them are not reported to the program. */
void dt_engine_hit(const dt_site* site, const uint64_t* words, unsigned count);

#ifdef __cplusplus
}
#endif
#endif
