#@ what:    print(): members that are zero are left out, the outer braces never
$DTRACE -qs /dev/stdin <<'D' | sed '1s/^0x[0-9a-f]* /ADDRESS /'
struct t { int a; int b; struct { int c; } d; };
BEGIN { p = (struct t *)alloca(sizeof (struct t)); p->b = 1; print(p); exit(0); }
D
