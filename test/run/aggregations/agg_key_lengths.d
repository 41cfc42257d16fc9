/*@
 * what:    string keys of 63, 64, 65 and 200 characters stay distinct, and clear() and trunc() affect all of them
 * needs:   syscall
 * run:     -q
 */
string part; string longer;
BEGIN {
	part = "0123456789012345678901234567890123456789012345678901234567890123";
	longer = strjoin(strjoin(part, part), part);
	@a[substr(part, 1), 1] = sum(1); @a[part, 1] = sum(2); @a[strjoin(part, "x"), 1] = sum(3); @a[strjoin(part, "y"), 1] = sum(4);
	@a[part, 2] = sum(5); @a[longer, 1] = sum(6); @a[strjoin(longer, "z"), 1] = sum(7); @a["", 1] = sum(8);
	printa("%@d ", @a); printf("\n"); clear(@a);
}
/* A write() by the tracer shows that it has processed the printa() and the clear() of the preceding clause. */
syscall::write:entry /pid == $pid && arg0 == 1/ { n++; }
syscall::write:entry /pid == $pid && arg0 == 1 && n == 1/ { n++; @a[part, 1] = sum(10); @a[longer, 1] = sum(20); printa("%@d ", @a); printf("\n"); trunc(@a); }
syscall::write:entry /pid == $pid && arg0 == 1 && n == 3/ { @a[part, 1] = sum(2); @a[longer, 1] = sum(3); printa("%@d ", @a); printf("\n"); exit(0); }
