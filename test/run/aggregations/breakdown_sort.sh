#@ what:    -x aggsortpart sorts breakdown() entries by the named part, and timeof() returns the time of a part
#@ needs:   syscall
cd "$TMP" || exit 1
cat >script.d <<'D'
syscall::clock_nanosleep:entry /progenyof($target)/ { self->t = mark(); self->part = timeof("timer"); self->alone = blocked_timer; }
syscall::wait4:entry /progenyof($target)/ { self->t = mark(); }
syscall::clock_nanosleep:return /self->t/ { printf("%s\n", timeof("timer") - self->part == blocked_timer - self->alone ? "equal" : "differ"); }
syscall:::return /self->t/ { @[probefunc] = breakdown(self->t); self->t = 0; }
D
for part in child timer; do
    $DTRACE -q -x aggsortpart=$part -s script.d -c 'sh -c "sleep 0.01; true"' | awk '$1 ~ /^(wait4|clock_nanosleep|equal|differ)$/ { printf "%s ", $1 } END { print "" }'
done
