/* @tag: D_REGS_IDX
 * negative register index */
BEGIN { trace(uregs[-1]); }
