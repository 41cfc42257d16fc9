/*@
 * what:    in a profile probe, either arg0 is an address in the kernel, or arg1 is an address in the program
 * needs:   profile
 */
profile-199 { @n = count(); @both = sum((arg0 != 0) && (arg1 != 0)); @none = sum(arg0 == 0 && arg1 == 0); }
tick-300ms { exit(0); }
END { printa("%@d %@d\n", @both, @none); }
