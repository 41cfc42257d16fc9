/* The address of text as a plain number: the verifier refuses most arithmetic on what it knows to be a pointer. */
#include "bpf-runtime/runtime.h"

DT_HIDDEN dt_u64 dt_address(dt_u64 pointer)
{
	/* Negation yields a number, whatever was negated. */
	asm volatile("%0 = -%0; %0 = -%0" : "+r"(pointer));
	return pointer;
}
