#@ what:    --shell: type shows members, sizes and values of types of the program, of D and of the kernel, and of what expressions are
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
