/* Access to the word that the kernel stores for a function call from entry to return (kprobe.session, kernel 6.10). */
#include "bpf-runtime/runtime.h"

#define DT_KERNEL __attribute__((section(".ksyms")))

/* The declared functions are those of kernel/trace/bpf_trace.c. */
extern _Bool bpf_session_is_return(void) DT_KERNEL;
extern dt_u64 *bpf_session_cookie(void) DT_KERNEL;

DT_HIDDEN dt_u64 dt_session_is_return(void)
{
	return bpf_session_is_return();
}

DT_HIDDEN dt_u64 dt_session_note(dt_u64 word)
{
	*bpf_session_cookie() = word;
	return 0;
}

DT_HIDDEN dt_u64 dt_session_noted(void)
{
	return *bpf_session_cookie();
}
