/* Variant of session.bpf.c for kernels from 7.0 on, whose bpf_session_*() functions take the program's context as an
 * argument. */
#include "bpf-runtime/runtime.h"

#define DT_KERNEL __attribute__((section(".ksyms")))

/* The declared functions are those of kernel/trace/bpf_trace.c. */
extern _Bool bpf_session_is_return(void *context) DT_KERNEL;
extern dt_u64 *bpf_session_cookie(void *context) DT_KERNEL;

DT_HIDDEN dt_u64 dt_session_is_return_of(void *context)
{
	return bpf_session_is_return(context);
}

DT_HIDDEN dt_u64 dt_session_note_of(void *context, dt_u64 word)
{
	*bpf_session_cookie(context) = word;
	return 0;
}

DT_HIDDEN dt_u64 dt_session_noted_of(void *context)
{
	return *bpf_session_cookie(context);
}
