#@ what:    an assignment that finds no space for a dynamic variable counts as a drop, and its clause continues
#@ lost:    dynamic
# None of the six assignments finds space for its variable. So each variable reads back as unset, but the assignment
# expression has the assigned value.
$DTRACE -x dynvarsize=12 -qn 'struct pair { int x, y; };
    int a[int]; string text[int]; struct pair pairs[int]; self int n; self string name; self struct pair mine;
    BEGIN
    {
        printf("%d %s %d", a[1] = 1, text[1] = "text", pairs[1].x += 5);
        self->n = 3;
        self->name = "text";
        self->mine.y = 7;
        printf(", %d %d %d %d %d %d\n", a[1], text[1] == NULL, pairs[1].x, self->n, self->name == NULL, self->mine.y);
        exit(0);
    }' 2>&1 | grep .
# The failed assignment is counted as a drop, and the probe hit as lost.
$DTRACE -x dynvarsize=12 -x hits -x format=jsonl -x drops -qn 'BEGIN { a[1] = 1; a[2] = 1; @ = count(); } BEGIN { exit(0); }' 2>/dev/null |
    python3 -B -c '
import sys
from account import Account
run = Account()
print("adds up:", run.adds_up(), " dropped:", run.causes["dynamic"], " firings:", run.lost(), " counted:", run.kept["_"])'
