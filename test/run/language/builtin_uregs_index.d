/*@
 * what:    uregs[] has 26 registers
 * run:     -qs %file%
 * status:  1
 */
BEGIN { trace(uregs[26]); exit(0); }
