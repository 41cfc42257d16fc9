/* traceid, spanid, ctxattr(): location of a thread's OpenTelemetry thread context record. thread_context.bpf.c reads
 * it; libdtrace/process/thread_contexts.hpp finds it. */
#ifndef DT_THREAD_CONTEXT_H
#define DT_THREAD_CONTEXT_H

#include "bpf-runtime/abi.h"

#define DT_MAP_CONTEXTS "contexts"                   /* ARRAY, mmapable, 1 entry: struct dt_contexts */
#define DT_MAP_CONTEXT_PROCESSES "context_processes" /* LRU_HASH: struct dt_context_process by process id (u32) */

#define DT_CONTEXT_PROCESSES 4096       /* maximum number of processes whose variable is located */
#define DT_CONTEXT_NAMES 32             /* maximum number of attribute names that a process can publish */
#define DT_CONTEXT_ATTRIBUTES 640       /* maximum bytes of attributes in a record */
#define DT_CONTEXT_VALUE 256            /* maximum bytes of an attribute, with a NUL */
#define DT_CONTEXT_WANTED 1024          /* size of dt_contexts.wanted; a power of two */
#define DT_CONTEXT_UNKNOWN 0x80000000U  /* flag in dt_contexts.wanted: the process was not examined yet, or has
                                           called exec() since */
#define DT_CONTEXT_NOWHERE 0xffffffffU  /* value of `module` if the process does not contain the variable yet */

struct dt_contexts {
	dt_u32 wanted[DT_CONTEXT_WANTED]; /* processes that user space must examine */
	dt_u64 memory;                    /* start of the kernel's direct mapping of all memory; 0: not known */
	dt_u64 tried;                     /* number of failed attempts to find the start of the direct mapping */
};

#define DT_MEMORY_ALIGNED 30   /* number of low bits that are 0 in the start of the direct mapping */
#define DT_MEMORY_TRIED 0x10000 /* maximum number of failed attempts to find the direct mapping */

struct dt_context_process {
	dt_u64 mm;     /* address of the process's mm_struct; 0: the first reader sets it */
	dt_s64 offset; /* offset of the variable from the thread pointer, or in its module's TLS block */
	dt_u32 module; /* number of the module whose TLS block contains the variable; 0: `offset` is from the thread
                   pointer */
	dt_u32 table;  /* offset from the thread pointer to the pointer to the table of TLS blocks */
	dt_u64 names[DT_CONTEXT_NAMES]; /* digests of attribute names, indexed by the number of the name; 0: none */
};

/* Working memory that compiled code provides, and the results of the reading functions. */
struct dt_thread_context {
	dt_u64 process, mm, thread_pointer;
	dt_u64 trace[5], span[3]; /* text, followed by zeros */
	dt_u64 record[4];         /* header of the record */
	/* Results of dt_context_place(), which compiled code completes by reading the kernel's page tables. */
	dt_u64 place;      /* address of the variable otel_thread_ctx_v1; 0: not known */
	dt_u64 wants;      /* not 0: user space should examine the process soon */
	dt_u64 memory;     /* confirmed or possible start of the direct mapping; 0: not known */
	dt_u64 is_trusted; /* not 0: the address in `memory` is confirmed */
	dt_u64 word;       /* the variable's value, read through page tables; 0: none found */
	dt_u64 is_read;    /* not 0: `word` is valid and, if it is not 0, `record` too */
};

struct dt_context_attribute {
	struct dt_thread_context context;
	unsigned char value[DT_CONTEXT_VALUE + 8]; /* text, followed by zeros */
};

#endif
