#@ what:    print() of a pointer to an integer shows the integer
$DTRACE -qs /dev/stdin <<'D' | sed '1s/^0x[0-9a-f]* /ADDRESS /'

BEGIN { p = (int *)alloca(sizeof (int)); *p = -3; print(p); exit(0); }
D
