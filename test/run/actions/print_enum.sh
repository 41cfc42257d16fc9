#@ what:    print() shows the enumerator's name, or the number if the enum has no enumerator of that value
$DTRACE -qs /dev/stdin <<'D' | sed '1s/^0x[0-9a-f]* /ADDRESS /'
enum e { ONE = 1, TWO = 2 };
struct t { enum e a; enum e b; };
BEGIN { p = (struct t *)alloca(sizeof (struct t)); p->a = TWO; p->b = (enum e)7; print(p); exit(0); }
D
