#@ what:    -x cgroup=PATH also traces a control group that is removed and created again under this path, and accepts a group's name
#@ needs:   syscall cgroup2
group=$(awk '/ - cgroup2 / { print $5; exit }' /proc/self/mountinfo)/dtrace-outer-$$/dtrace-again-$$.service
cp "$PROGS/syscalls" "$TMP/again$$"
calls() { sh -c "echo \$\$ >$group/cgroup.procs; exec $TMP/again$$ getppid $1"; }
leave() { until rmdir "$group" 2>/dev/null; do :; done; }
mkdir -p "$group" || exit
$DTRACE -x cgroup="${group##*/}" -qn 'BEGIN { printf("begun\n"); } syscall::getppid:entry /execname == "again'$$'"/ { printf("call\n"); @["calls"] = count(); }' -o "$TMP/out" 2>"$TMP/err" & tracer=$!
until grep -qs begun "$TMP/out"; do sleep 0.02; done
calls 5
leave
mkdir "$group"
until [ "$(grep -c call "$TMP/out")" -gt 5 ]; do calls 1; done
"$TMP/again$$" getppid 100
calls 0
leave
rmdir "${group%/*}"
kill -TERM $tracer
wait $tracer
echo "status $?"
echo "more than five, and none of others: $(awk '$1 == "calls" { print ($2 > 5 && $2 < 100) ? "yes" : $2 }' "$TMP/out")"
