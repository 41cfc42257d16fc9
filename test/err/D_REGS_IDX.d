/* @tag: D_REGS_IDX
 * @says: uregs[ ] index -1 is negative
 * @line: 5
 * a negative register index is an error */
BEGIN { trace(uregs[-1]); }
