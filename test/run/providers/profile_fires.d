/*@
 * what:    profile-N fires with a program counter of the kernel or of user space
 * needs:   profile
 */
profile-199 { @n = count(); @both = sum((arg0 != 0) && (arg1 != 0)); @none = sum(arg0 == 0 && arg1 == 0); }
tick-300ms { exit(0); }
END { printa("%@d %@d\n", @both, @none); }
