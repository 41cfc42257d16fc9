/* dt_unwind_linked_mixed(): the walk of unwind_linked.bpf.c for jstack(), which also keeps frame pointers. */
#define DT_MIXED
#include "bpf-runtime/stacks/unwind_linked.bpf.c"
