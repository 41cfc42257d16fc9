#@ what:    normal and killed runs leave no program, map, link, event or pinned object in the kernel
#@ needs:   syscall profile bpftool alone
#@ timeout: 120
. ./leftovers.bash
runs=20
[ -n "$DTRACE_GUEST" ] && runs=5
for i in $(seq $runs); do
    $DTRACE -qn 'BEGIN { x = 1; } syscall:::entry { @[execname] = count(); } syscall::read:return { self->x = 1; }
        profile-97 { @p = count(); } tick-1ms { exit(7); }' >"$TMP/out" 2>"$TMP/err"
    [ $? -eq 7 ] || { echo "run $i failed"; cat "$TMP/err"; }
done
set -m
for i in $(seq $((runs / 2))); do
    rm -f "$TMP/out"
    $DTRACE -qn 'BEGIN { printf("begun\n"); } syscall:::entry { @[execname] = count(); } pid$target::main:entry { n++; } profile-97 { @p = count(); }' \
        -c "$PROGS/sleeper" -o "$TMP/out" 2>"$TMP/err" & tracer=$!
    until grep -qs begun "$TMP/out"; do sleep 0.02; done
    { kill -9 $tracer; wait $tracer; } 2>/dev/null
done
left_behind
