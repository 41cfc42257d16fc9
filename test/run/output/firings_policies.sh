#@ what:    -x hits counts lost and recorded hits under each buffer policy, and they add up
#@ needs:   syscall
# A firing of which one line found no room is lost, though the other may be printed; where the buffer is switched that happens at any time.
for policy in switch fill ring; do
    $DTRACE -x hits -x bufpolicy=$policy -x bufsize=4k -qn 'syscall::getppid:entry /pid == $target/ { printf("first\n"); }
        syscall::getppid:entry /pid == $target && n++ % 3/ { printf("%d %s\n", n, "second"); }' -c "$PROGS/storm 20000 1" >"$TMP/out" 2>"$TMP/err"
    printed=$(grep -c first "$TMP/out")
    awk -v policy=$policy -v printed="$printed" '/vmlinux:getppid/ {
        print policy ": recorded as printed:", ($3 <= printed && (printed - $3 <= 2 || policy == "switch")), " something lost:", ($4 > 0 || policy == "switch"),
            " all:", ($1 == $2 + $3 + $4), ($3 > 0) }' "$TMP/err"
done
