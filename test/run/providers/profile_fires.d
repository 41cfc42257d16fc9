/*@
 * what:    profile-N fires with a kernel or user program counter
 * needs:   profile
 */
profile-199 { @n = count(); @both = sum((arg0 != 0) && (arg1 != 0)); @none = sum(arg0 == 0 && arg1 == 0); }
tick-300ms { exit(0); }
END { printa("%@d %@d\n", @both, @none); }
