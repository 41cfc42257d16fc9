/*@
 * what:    what printa() printed is not printed again at the end
 */
BEGIN { @a = sum(1); @b = sum(2); exit(0); }
END { printa("%@d\n", @a); }
