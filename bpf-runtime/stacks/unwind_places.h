/* Rules (struct dt_unwind_rule, abi.h) that only unwind.bpf.c applies, and only to 64-bit programs. These rules need
 * registers that a walk does not track, so they are valid only for the innermost frame, whose registers the kernel has
 * saved. Such rules occur in assembly code: vfork(3) keeps its return address in a register, and OpenSSL its stack
 * pointer.
 */
#ifndef DT_UNWIND_PLACES_H
#define DT_UNWIND_PLACES_H

/* Value of `cfa`: the CFA is a register + an offset. The low 8 bits of cfa_offset are the register's number in struct
 * pt_regs, the other bits are the offset. */
#define DT_CFA_REGISTER 8
/* Value of the high half of `cfa` if the frame pointer is unchanged or lost: the caller's pc is in the register with
 * the number fp_offset. The value DT_RA_AT_FP_OFFSET also applies here: the pc is at CFA + fp_offset. */
#define DT_RA_REGISTER 5

#endif
