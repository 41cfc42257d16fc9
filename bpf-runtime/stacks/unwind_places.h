/* Rules (struct dt_unwind_rule, abi.h) that only the walk of unwind.bpf.c applies, and only in 64-bit programs: they need
 * registers that a walk does not follow, so they hold in the innermost frame alone, whose registers the kernel has saved.
 * Assembly has such places: vfork(3) keeps its return address in one, OpenSSL its stack pointer.
 */
#ifndef DT_UNWIND_PLACES_H
#define DT_UNWIND_PLACES_H

/* A kind of `cfa`: the register whose number in struct pt_regs the low 8 bits of cfa_offset have, + the other bits. */
#define DT_CFA_REGISTER 8
/* In the higher half of `cfa`, where the frame pointer is as it was, or lost: the caller's pc is in the register of number
 * fp_offset. (DT_RA_AT_FP_OFFSET serves as well: it is at CFA + fp_offset.) */
#define DT_RA_REGISTER 5

#endif
