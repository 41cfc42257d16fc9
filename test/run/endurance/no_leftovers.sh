#@ what:    twenty starts and stops, and ten tracers that are killed, leave no program, map, link, event or pinned object behind
#@ needs:   syscall profile bpftool alone
#@ timeout: 120
# Ids of the objects that no living process holds. (Those of other tracers on this machine are held; ours must be gone.)
unheld()
{
    for kind in prog map link; do
        bpftool $kind show 2>/dev/null | awk -v kind=$kind '
            /^[0-9]+:/ { if (id != "" && !held) print kind, id; id = $1; held = 0 }
            /^[ \t]+pids / { held = 1 }
            END { if (id != "" && !held) print kind, id }'
    done | sort
}
events() { cat /sys/kernel/tracing/{kprobe,uprobe}_events 2>/dev/null; } # where there is a trace file system
unheld >"$TMP/before"
events >"$TMP/events.before"
ls /sys/fs/bpf >"$TMP/pinned.before" 2>/dev/null
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
# Programs and maps are freed a moment after their last reference; wait for that, the longer the busier the machine is.
for attempt in $(seq 200); do
    unheld >"$TMP/after"
    left=$(comm -13 "$TMP/before" "$TMP/after")
    [ -z "$left" ] && break
    sleep 0.25
done
echo "left behind: ${left:-nothing}"
ls /sys/fs/bpf 2>/dev/null | diff "$TMP/pinned.before" - && echo "nothing pinned"
events | diff "$TMP/events.before" - && echo "no event left"
