/*@
 * what:    an action whose record would exceed option specsize ends its clause
 * run:     -q -x specsize=56 -s %file%
 */
int n;
BEGIN { s = speculation(); }
BEGIN { speculate(s); trace((long)1); n += 1; trace((long)2); n += 10; }
BEGIN { speculate(s); trace((long)3); n += 100; trace((long)4); n += 1000; }
BEGIN { speculate(s); trace((long)5); n += 10000; }
BEGIN { commit(s); }
BEGIN { printf("%d\n", n); exit(0); }
