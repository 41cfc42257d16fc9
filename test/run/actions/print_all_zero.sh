#@ what:    print() shows a struct whose members are all zero as a pair of braces
$DTRACE -qs /dev/stdin <<'D' | sed '1s/^0x[0-9a-f]* /ADDRESS /'
struct t { int a; int b; };
BEGIN { p = (struct t *)alloca(sizeof (struct t)); print(p); exit(0); }
D
