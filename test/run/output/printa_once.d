/*@
 * what:    entries printed by printa() are not printed again at exit
 */
BEGIN { @a = sum(1); @b = sum(2); exit(0); }
END { printa("%@d\n", @a); }
