/* @tag: D_REGS_IDX
 * @says: uregs[ ] index -1 is negative
 * @line: 5
 * negative register index */
BEGIN { trace(uregs[-1]); }
