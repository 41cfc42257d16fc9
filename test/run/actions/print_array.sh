#@ what:    print() shows each array element on its own line, indented more than the array
$DTRACE -qs /dev/stdin <<'D' | sed '1s/^0x[0-9a-f]* /ADDRESS /'
struct t { int a[3]; };
BEGIN { p = (struct t *)alloca(sizeof (struct t)); p->a[0] = 1; p->a[1] = 2; p->a[2] = 3; print(p); exit(0); }
D
