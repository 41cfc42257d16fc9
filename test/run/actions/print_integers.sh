#@ what:    print() formats integer members by their types, and char members as characters
$DTRACE -qs /dev/stdin <<'D' | sed '1s/^0x[0-9a-f]* /ADDRESS /'
struct t { int a; unsigned short b; char c; long d; uint64_t e; };
BEGIN { p = (struct t *)alloca(sizeof (struct t)); p->a = -5; p->b = 7; p->c = (char)120; p->d = -9; p->e = 10; print(p); exit(0); }
D
