/* dt_unwind_mixed(): variant for jstack() of the walk in unwind.bpf.c; it also stores frame pointers. */
#define DT_MIXED
#include "bpf-runtime/stacks/unwind.bpf.c"
