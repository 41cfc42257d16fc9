#@ what:    print() shows pointers in hexadecimal
$DTRACE -qs /dev/stdin <<'D' | sed '1s/^0x[0-9a-f]* /ADDRESS /'
struct t { int *a; void *b; };
BEGIN { p = (struct t *)alloca(sizeof (struct t)); p->a = (int *)0x10; p->b = (void *)0xabc; print(p); exit(0); }
D
