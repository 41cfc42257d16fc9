/*@
 * what:    uregs[] has 26 registers
 * needs:   x86-64
 * run:     -qs %file%
 * status:  1
 */
BEGIN { trace(uregs[26]); exit(0); }
