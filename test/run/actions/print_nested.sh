#@ what:    print() indents each nesting level by one blank and puts a comma after each inner closing brace
$DTRACE -qs /dev/stdin <<'D' | sed '1s/^0x[0-9a-f]* /ADDRESS /'
struct in { int x; };
struct t { struct in i; int y; };
BEGIN { p = (struct t *)alloca(sizeof (struct t)); p->i.x = 3; p->y = 4; print(p); exit(0); }
D
