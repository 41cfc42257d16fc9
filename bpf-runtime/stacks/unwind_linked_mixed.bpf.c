/* dt_unwind_linked_mixed(): variant for jstack() of the walk in unwind_linked.bpf.c; it also stores frame pointers. */
#define DT_MIXED
#include "bpf-runtime/stacks/unwind_linked.bpf.c"
