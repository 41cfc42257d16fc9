/* dt_unwind_mixed(): the walk of unwind.bpf.c for jstack(), which also keeps frame pointers. */
#define DT_MIXED
#include "bpf-runtime/stacks/unwind.bpf.c"
