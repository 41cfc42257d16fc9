#@ what:    print() omits members that are zero but always prints the outer braces
$DTRACE -qs /dev/stdin <<'D' | sed '1s/^0x[0-9a-f]* /ADDRESS /'
struct t { int a; int b; struct { int c; } d; };
BEGIN { p = (struct t *)alloca(sizeof (struct t)); p->b = 1; print(p); exit(0); }
D
