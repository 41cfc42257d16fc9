/* Compiled D inside a program: what `dtrace -x save=FILE` wrote is loaded, and runs when the program calls it at its
 * own probe sites, without the kernel, without root, and without a word to anybody else.
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
 * The same object serves the kernel: a run of `dtrace` with the same script has its variables in memory that
 * dt_engine_share() lets an engine use, so that what one half learns the other knows.
 *
 * Threads: every function but dt_engine_close() may be called by any thread at any time; an engine does one thing at a
 * time, and who comes second waits. A firing takes a microsecond or less, so that is seldom seen; a program whose
 * threads fire all the time opens an engine for each. self-> variables are each thread's own, found by its number. Not
 * for signal handlers.
 *
 * Memory: an engine owns all that it hands out; what a callback is given is there until it returns, names and variables
 * until dt_engine_close(). The object's bytes are not needed after dt_engine_load().
 *
 * Safety: a program is checked as it runs (or before, when it is compiled to machine code), and reads of addresses that
 * are not there fail as they do in the kernel: D can make its host neither crash nor hang. Destructive actions do
 * nothing here.
 *
 * What is not here: kernel variables and functions, stacks, and probes whose programs look for their arguments in the
 * kernel; what clauses ask of a task's other members is 0. cpu is 0, and execname the name that a thread had when it
 * first fired.
 *
 * Errors: functions that return a pointer return NULL, the others -1; dt_engine_error() says why. Link with
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

/* Loads a saved object. `message` (may be NULL) gets the reason of a failure. */
dt_engine* dt_engine_open(const char* file, char* message, size_t room);
dt_engine* dt_engine_load(const void* object, size_t size, char* message, size_t room);

/* No other function may be running or called later. NULL is allowed. */
void dt_engine_close(dt_engine* engine);

/* Why the last call of this thread failed. */
const char* dt_engine_error(void);

/* ---- probes ---- */

/* Number of probes, and the full name of each: "provider:module:function:name". */
int dt_engine_probes(const dt_engine* engine);
const char* dt_engine_probe_name(const dt_engine* engine, int probe);

/* The first probe that a description means, as in D: "BEGIN", "sale", "shop*:::sale"; an empty part is any, and * ? []
 * are patterns. Probes of a process have its number in the provider's name: "shop1207". -1: there is none. */
int dt_engine_probe(const dt_engine* engine, const char* description);

/* Runs the clauses of a probe. `words` are its arguments, arg0 first; those that are not given are 0. 0, or -1 when
 * they could not run to their end. BEGIN is a probe like others, and fires when it is called. */
int dt_engine_fire(dt_engine* engine, int probe, const uint64_t* words, unsigned count);

/* ---- what was recorded ---- */

enum dt_value_kind { DT_NUMBER, DT_UNSIGNED, DT_TEXT, DT_BYTES };

typedef struct dt_value {
    enum dt_value_kind kind;
    int64_t number;    /* DT_NUMBER, DT_UNSIGNED (to be cast) */
    const char* bytes; /* DT_TEXT: ends with a NUL; DT_BYTES */
    size_t size;       /* of bytes, without the NUL */
} dt_value;

/* One action of one firing. A fault is an action too: "fault", of which the values are the code (dtrace-errors(7)) and
 * the address or number. */
typedef struct dt_record {
    const char* probe;  /* full name */
    const char* clause; /* its probe description */
    const char* action; /* "printf", "trace", ... */
    const char* format; /* of printf(), else NULL */
    uint64_t time;      /* of the firing, nanoseconds of CLOCK_MONOTONIC */
    const dt_value* values;
    unsigned count;
} dt_record;

/* Hands over what was recorded since the last call, in order. What was recorded by speculation comes when it is
 * committed. Returns the number of records. `each` may call functions of the engine. */
long dt_engine_drain(dt_engine* engine, void (*each)(const dt_record* record, void* context), void* context);

/* Firings or records that were lost for want of room, so far. An engine keeps 65,536 samples until they are drained. */
uint64_t dt_engine_lost(dt_engine* engine);

/* The value of every key of @name ("_" for @ alone), in the order of keys' bytes; without keys once, with n_keys 0.
 * `words` are those of the function: count, sum, min and max have one, the histograms have a count for each bucket, and
 * hquantize the sum of the values behind them. avg has three: the number of values, the low 64 bits of their sum and how
 * many times 2^64 is to be added to that as a signed number. stddev has these and the sum of squares, 64 bits each, the
 * lowest first. Returns the number of keys. */
typedef void dt_aggregation_value(const dt_value* keys, unsigned n_keys, const int64_t* words, unsigned n_words,
                                  void* context);
long dt_engine_aggregation(dt_engine* engine, const char* name, dt_aggregation_value* each, void* context);

/* Where a global variable is, for as long as the engine is: the program may read and set it. Other threads' clauses
 * and, when it is shared, the kernel's may do so at the same time. No arrays with keys: those are maps. */
void* dt_engine_variable(dt_engine* engine, const char* name, size_t* size);

/* Every element of a map, or of an array with keys by its name in D, as bytes. Returns their number. */
typedef void dt_element(const void* key, size_t key_size, const void* value, size_t value_size, void* context);
long dt_engine_map(dt_engine* engine, const char* name, dt_element* each, void* context);

/* ---- with the kernel ---- */

/* From now on the global variables are those of a run of the same script, the process `tracer` (of `dtrace -c`, the
 * parent). While that run is not active nothing fires here. It takes CAP_SYS_ADMIN, the right to look at the tracer,
 * and a script whose globals are the same; to be called before the first firing. Arrays with keys and self-> variables
 * are each half's own, unless both were made with -x share of the same names; aggregations always are. */
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
 * and `dtrace -p PID -n 'app$target:::request { @[arg0] = quantize(arg1); }'` has its clauses run here, in this process,
 * without a trap into the kernel and without root: the program is checked before it runs, or as it runs. What it
 * records is in memory that both have mapped, so a tracer that is slow, stopped or killed keeps nobody waiting. */

/* A place in the program. Static; it stays where it is while there is a listener. */
typedef struct dt_listener dt_listener;
typedef struct dt_site {
    const char* function; /* the probe's, or NULL */
    const char* name;     /* the probe's */
    const char* types;    /* of its arguments, as in C: "int, const char *"; NULL: they are numbers */
    /* The library's own: */
    unsigned tracers; /* how many look */
    unsigned number;
    dt_listener* listener;
} dt_site;

/* Cheap: one load and one branch. */
#define DT_SITE_IS_ENABLED(site) __builtin_expect(__atomic_load_n(&(site)->tracers, __ATOMIC_RELAXED) != 0, 0)

/* What all tracers' programs together do not exceed each: 0 is the library's own choice. */
typedef struct dt_limits {
    uint64_t memory;       /* bytes of maps and data; 64 MiB. Records have 16 MiB more */
    uint64_t instructions; /* of one program at a site, each time; 100,000 */
} dt_limits;

/* From now on a tracer of the same user, or root, may attach: by an abstract Unix socket that has the process' number
 * in its name. The probes are PROVIDERpid:program:function:name. One listener a process; a child of fork(2) has none.
 * `limits` may be NULL. Takes a thread, and one more for each tracer; signals are not delivered to them. */
dt_listener* dt_engine_listen(const char* provider, dt_site* const* sites, unsigned count, const dt_limits* limits);

/* Ends them. No site may be hit meanwhile or later. NULL is allowed. */
void dt_engine_unlisten(dt_listener* listener);

/* Runs the clauses of all who look at the site. Nothing that goes wrong there is the program's to know. */
void dt_engine_hit(const dt_site* site, const uint64_t* words, unsigned count);

#ifdef __cplusplus
}
#endif
#endif
