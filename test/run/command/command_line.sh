#@ what:    one command line can have several -n, -P and -i programs with predicates, and dtrace prints a line with the number of matched probes for each
#@ needs:   syscall
$DTRACE -n 'BEGIN { printf("one"); }' -n 'BEGIN{ printf("two"); exit(0); }' 2>&1
echo "status $?"
$DTRACE -q -P dtrace'/probename == "BEGIN"/ { printf("%s\n", probename); exit(0); }' 2>&1
$DTRACE -q -n 'BEGIN /0/ { printf("no\n"); }' -i 1'{ printf("by id\n"); exit(0); }' 2>&1
$DTRACE -qn 'x = 1;' 2>/dev/null
echo "status $?"
$DTRACE -qn 'BEGIN { x = 5; } BEGIN { y = x + 1; }' -n 'BEGIN { printf("%d %d\n", x, y); exit(0); }' 2>&1
$DTRACE -n BEGIN -n 'BEGIN { exit(0); }' 2>&1
