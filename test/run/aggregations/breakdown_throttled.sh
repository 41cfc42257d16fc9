#@ what:    breakdown() counts the wait for a new CPU quota as part "throttled" and not as part "runq"
#@ needs:   syscall
cd "$TMP" || exit 1
cp "$PROGS/parts" part_user
one=$(awk '$3 == "cgroup" && $4 ~ /(^|,)cpu(,|$)/ { print $2; exit }' /proc/mounts)
two=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
[ "$one$two" ] || { mkdir mounted && mount -t cgroup2 none mounted && two=$TMP/mounted; }
group=${one:-$two}/throttled.$$
[ "$one" ] || echo +cpu >"$two/cgroup.subtree_control"
mkdir "$group"
if [ "$one" ]; then
    echo 20000 >"$group/cpu.cfs_period_us" && echo 1000 >"$group/cpu.cfs_quota_us"
else
    echo '1000 20000' >"$group/cpu.max"
fi 2>errors || { rmdir "$group"; echo throttled ok; exit; } # this machine has no CPU controller
$DTRACE -qn 'syscall::close:entry /execname == "part_user" && (int)arg0 == -1/ { self->m = mark(); self->from = timestamp; }
    syscall::close:entry /self->m && (int)arg0 == -2/ { @ = breakdown(self->m); @wall = sum(timestamp - self->from); }' -x format=csv -o trace \
    -c "sh -c 'echo \$\$ >$group/cgroup.procs; exec ./part_user user'" >output
# cgroup v1 counts ns, v2 counts us, both added up over all CPUs of the group; the program runs on one CPU at a time.
counted=$(awk '$1 == "throttled_time" { print $2 } $1 == "throttled_usec" { print 1000 * $2 }' "$group/cpu.stat")
rmdir "$group"
[ -d mounted ] && umount mounted
tr -d '\r' <trace | awk -F, -v counted="$counted" '
    $1 == "@_" { sum += $3; time[$2] = $3 }
    $1 == "@wall" { wall = $2 }
    END {
        ok = sum == wall && counted > 0 && time["throttled"] >= counted / 4 && time["throttled"] <= counted * 1.02
        print "throttled", ok ? "ok" : time["throttled"] " of " counted ", runq " time["runq"] ", sum " sum ", wall " wall
    }'
