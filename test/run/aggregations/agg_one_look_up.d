/*@
 * what:    clauses of one probe that update aggregations without keys each follow their own predicate, and a fault ends only its own clause
 */
int64_t x;
BEGIN { x = 3; }
BEGIN /x == 2/ { @no = count(); }
BEGIN { @sum = sum(x); @three = count(); }
BEGIN /x == 3/ { @three = count(); }
BEGIN { @before = count(); x = *(int *)0; @behind = count(); }
BEGIN { @three = count(); @largest = max(x + 4); }
BEGIN { exit(0); }
ERROR { @errors = count(); }
END { printa("%@d", @no); printa("%@d", @behind); printa("%@d ", @sum); printa("%@d ", @three); printa("%@d ", @before); printa("%@d ", @largest); printa("%@d\n", @errors); }
