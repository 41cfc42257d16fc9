#@ what:    with each bufpolicy, the recorded and lost hits that -x hits counts add up to all hits
#@ needs:   syscall
# Each hit prints two lines. A hit counts as lost if the buffer has no space for one of them, even if the other line is
# printed. With policy switch this can happen at any time.
for policy in switch fill ring; do
    $DTRACE -x hits -x bufpolicy=$policy -x bufsize=4k -qn 'syscall::getppid:entry /pid == $target/ { printf("first\n"); }
        syscall::getppid:entry /pid == $target && n++ % 3/ { printf("%d %s\n", n, "second"); }' -c "$PROGS/storm 20000 1" >"$TMP/out" 2>"$TMP/err"
    printed=$(grep -c first "$TMP/out")
    awk -v policy=$policy -v printed="$printed" '/vmlinux:getppid/ {
        print policy ": recorded as printed:", ($3 <= printed && (printed - $3 <= 2 || policy == "switch")), " something lost:", ($4 > 0 || policy == "switch"),
            " all:", ($1 == $2 + $3 + $4), ($3 > 0) }' "$TMP/err"
done
