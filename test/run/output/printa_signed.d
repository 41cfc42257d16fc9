/*@
 * what:    printa() prints values of sum() as signed and of count() as unsigned
 */
BEGIN { @s = sum(-5); @c = count(); @m = min(-7); exit(0); }
END { printa("%@d %@i\n", @s, @c); printa("%@x\n", @m); printa("%@o|%@-5u|\n", @c); }
