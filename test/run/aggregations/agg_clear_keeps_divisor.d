/*@
 * what:    clear() does not reset the divisor that normalize() has set
 */
BEGIN { @[1] = sum(50); normalize(@, 10); clear(@); }
END { printa("%@d\n", @); }
BEGIN { exit(0); }
