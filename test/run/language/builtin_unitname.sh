#@ what:    unitname and containerid print even if the control group was removed before its records were printed
#@ needs:   syscall cgroup2
mount=$(awk '/ - cgroup2 / { print $5; exit }' /proc/self/mountinfo)
id=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
service=dtrace-test-$$.service
cat >$TMP/in <<END
for group in $service docker-$id.scope; do
    mkdir -p $mount/$service/$$/\$group || exit
    sh -c "echo \\\$\\\$ >$mount/$service/$$/\$group/cgroup.procs; exec $PROGS/syscalls getppid 1"
    until rmdir $mount/$service/$$/\$group 2>/dev/null; do :; done
done
rmdir $mount/$service/$$ $mount/$service
END
$DTRACE -x switchrate=30s -qn 'syscall::getppid:entry /progenyof($target) && execname == "syscalls"/ { printf("%s [%s]\n", unitname, containerid); }' \
    -c "sh $TMP/in" | sed "s/-$$/-PID/; /^\$/d"
