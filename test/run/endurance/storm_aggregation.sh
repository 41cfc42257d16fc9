#@ what:    counts are exact while four threads make system calls as fast as they can
#@ needs:   syscall
#@ timeout: 60
count=1000000
[ -n "$DTRACE_GUEST" ] && count=100000
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { @n = count(); @k[tid] = count(); } END { printa("%@d\n", @n); trunc(@k); }' \
    -c "$PROGS/storm $count 4" | sed "s/^$count\$/exact/"
