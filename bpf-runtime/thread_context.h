/* traceid, spanid, ctxattr(): where a thread of a process has the record of the OpenTelemetry thread context. thread_context.bpf.c
 * reads it, libdtrace/process/thread_contexts.hpp says where it is. */
#ifndef DT_THREAD_CONTEXT_H
#define DT_THREAD_CONTEXT_H

#include "bpf-runtime/abi.h"

#define DT_MAP_CONTEXTS "contexts"                   /* ARRAY, mmapable, 1 entry: struct dt_contexts */
#define DT_MAP_CONTEXT_PROCESSES "context_processes" /* LRU_HASH: struct dt_context_process by process id (u32) */

#define DT_CONTEXT_PROCESSES 4096       /* known at a time */
#define DT_CONTEXT_NAMES 32             /* of attributes, of a process */
#define DT_CONTEXT_ATTRIBUTES 640       /* bytes of a record, at most */
#define DT_CONTEXT_VALUE 256            /* of an attribute, and a NUL */
#define DT_CONTEXT_WANTED 1024          /* a power of two */
#define DT_CONTEXT_UNKNOWN 0x80000000U  /* beside the process: nothing is known of it, or it is another program now */
#define DT_CONTEXT_NOWHERE 0xffffffffU  /* as a module: it has no such variable, or has none yet */

struct dt_contexts {
	dt_u32 wanted[DT_CONTEXT_WANTED]; /* processes of which more should be known */
	dt_u64 memory;                    /* where the kernel has all memory; 0: it is not known */
	dt_u64 tried;                     /* how many places were tried for it, and were not */
};

#define DT_MEMORY_ALIGNED 30   /* bits of its address that are 0 */
#define DT_MEMORY_TRIED 0x10000 /* places at most */

struct dt_context_process {
	dt_u64 mm;     /* address space; 0: whoever reads first says it */
	dt_s64 offset; /* of the variable: from the thread pointer, or in the block of its module */
	dt_u32 module; /* 0: the offset is from the thread pointer */
	dt_u32 table;  /* of modules' blocks: where its address is, from the thread pointer */
	dt_u64 names[DT_CONTEXT_NAMES]; /* of attributes, by number: digests; 0: none */
};

/* Memory that compiled code lends, and what is found. */
struct dt_thread_context {
	dt_u64 process, mm, thread_pointer;
	dt_u64 trace[5], span[3]; /* text, with zeros behind it */
	dt_u64 record[4];         /* its head */
	/* What dt_context_place() finds, and compiled code makes of it with the kernel's tables of pages. */
	dt_u64 place;      /* of the variable; 0: it is not known */
	dt_u64 wants;      /* not 0: user space should look soon */
	dt_u64 memory;     /* where the kernel has all memory, or may have; 0: it cannot be said */
	dt_u64 is_trusted; /* not 0: it has */
	dt_u64 word;       /* what is in the variable, by that; 0: nothing was found */
	dt_u64 is_read;    /* not 0: `word` is right, and where it is not 0 `record` is the record's */
};

struct dt_context_attribute {
	struct dt_thread_context context;
	unsigned char value[DT_CONTEXT_VALUE + 8]; /* text, with zeros behind it */
};

#endif
