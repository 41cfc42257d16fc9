#@ what:    error messages of several lines have the layout given in dtrace-errors(7), LINES OF A MESSAGE
#@ needs:   syscall host
cd "$TMP" || exit 1
while read -r program; do
    printf '%s\n' "$program" >t.d
    "$DTRACE" -x diag=brief -e -s t.d 2>&1
done <<'END'
BEGIN { exit("x"); }
BEGIN { printf("%d", "a"); }
BEGIN { exit(); }
BEGIN { substr("a", 1, 2, 3); }
BEGIN { m[1] = 1; m[1, 2] = 1; }
BEGIN { @a[1] = count(); @a["x"] = count(); }
BEGIN { printa(@nosuch); }
syscall::openat:entry { x = 1; x = args[1]; }
int x; string x;
int x[int]; int x;
int x; int x(int);
int pid;
int uregs;
int strlen;
int trace;
int sum;
inline int one = 1; int one;
int x; typedef int x;
END
exit 0
