/*@
 * what:    uregs[] with a constant index that is no register is a compile-time error
 * needs:   x86-64
 * run:     -qs %file%
 * status:  1
 */
BEGIN { trace(uregs[26]); exit(0); }
