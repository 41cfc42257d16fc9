#@ what:    print() shows anonymous structs and unions
$DTRACE -qs /dev/stdin <<'D' | sed '1s/^0x[0-9a-f]* /ADDRESS /'
struct t { union { int u; char c; } w; struct { int x; } v; };
BEGIN { p = (struct t *)alloca(sizeof (struct t)); p->w.u = 65; p->v.x = 2; print(p); exit(0); }
D
