#@ what:    containername is the name of the systemd machine that a process belongs to, and empty for other processes
#@ needs:   syscall cgroup2
mount=$(awk '/ - cgroup2 / { print $5; exit }' /proc/self/mountinfo)
machine="machine-dtrace\\x2dtest\\x2d$$.scope"
cat >$TMP/in <<END
mkdir '$mount/$machine' || exit
sh -c 'echo \$\$ >"$mount/$machine/cgroup.procs"; exec $PROGS/syscalls getppid 1'
$PROGS/syscalls getppid 1
until rmdir '$mount/$machine' 2>/dev/null; do :; done
END
$DTRACE -qn 'syscall::getppid:entry /progenyof($target) && execname == "syscalls"/ { printf("[%s] [%s] [%s]\n", containername, podname, podnamespace); }' \
    -c "sh $TMP/in" | sed "s/-$$/-PID/; /^\$/d"
