#@ what:    the type command of --shell shows members, sizes and values of program, D and kernel types, and the type of an expression
$DTRACE -q --shell 2>&1 <<'END'
struct point { int x; char name[6]; unsigned flag : 3; struct point *next; };
enum color { RED, GREEN = 5 };
type point
type struct point
type enum color
type list_head
type timestruc_t
type curpsinfo->pr_start.tv_sec
type ppid
type nosuch
END
echo "status $?"
