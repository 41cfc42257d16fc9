/* Converts a pointer to a plain number, because the verifier refuses most arithmetic on pointers. */
#include "bpf-runtime/runtime.h"

DT_HIDDEN dt_u64 dt_address(dt_u64 pointer)
{
	asm volatile("%0 = be64 %0; %0 = be64 %0" : "+r"(pointer)); /* byte swaps turn a pointer into a number for the
                                                                verifier */
	return pointer;
}
