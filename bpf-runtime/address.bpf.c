/* The address of text as a plain number: the verifier refuses most arithmetic on what it knows to be a pointer. */
#include "bpf-runtime/runtime.h"

DT_HIDDEN dt_u64 dt_address(dt_u64 pointer)
{
	asm volatile("%0 = be64 %0; %0 = be64 %0" : "+r"(pointer)); /* what is swapped is a number, whatever it was */
	return pointer;
}
