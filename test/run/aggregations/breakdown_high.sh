#@ what:    breakdown() counts the kernel's slowdown above memory.high as part "reclaim", with the same time as memory.pressure
#@ needs:   guest loop
two=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
[ "$two" ] || { echo "control groups of version 2 are not mounted"; exit 77; }
echo +memory >"$two/cgroup.subtree_control" || { echo "control groups have no memory here"; exit 77; }
group=$two/high.$$
mkdir "$group"
trap 'rmdir "$group"' EXIT
[ -e "$group/memory.pressure" ] || { echo "this kernel tells no pressure"; exit 77; }
echo 2M >"$group/memory.high"
$DTRACE -q -x format=csv -o "$TMP/known.csv" -c "taskset 1 sh -c 'echo \$\$ >$group/cgroup.procs; exec $PROGS/touch_pages 600'" \
    -n 'syscall::getppid:entry /pid == $target && !self->m/ { self->m = mark(); }
    syscall::exit_group:entry /self->m/ { @ = breakdown(self->m); self->m = 0; }' >"$TMP/output"
stalled=$(sed -n 's/^some .*total=//p' "$group/memory.pressure")
tr -d '\r' <"$TMP/known.csv" | awk -F, -v stalled="$stalled" '
    $1 == "@_" { time[$2] = $3; sum += $3 }
    END {
        real = 1000 * stalled; allowed = real / 10 > 5e6 ? real / 10 : 5e6
        near = time["reclaim"] <= real + allowed && time["reclaim"] >= real - allowed
        print "memory.pressure", (real > 5e7 && near && time["other"] <= sum / 100 ? "ok" : time["reclaim"] " and not " real ", other " time["other"] ", fault " time["fault"])
    }'
