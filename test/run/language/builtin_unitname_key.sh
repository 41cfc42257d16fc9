#@ what:    unitname as an aggregation key is one key for a service whose control group was removed and created again
#@ needs:   syscall cgroup2
mount=$(awk '/ - cgroup2 / { print $5; exit }' /proc/self/mountinfo)
service=dtrace-test-$$.service
cat >$TMP/in <<END
for time in 1 2 3; do
    mkdir $mount/$service || exit
    sh -c 'echo \$\$ >$mount/$service/cgroup.procs; exec $PROGS/syscalls getppid 5'
    until rmdir $mount/$service 2>/dev/null; do :; done
done
END
for format in text jsonl csv; do
    $DTRACE -x format=$format -qn 'syscall::getppid:entry /progenyof($target) && execname == "syscalls"/ { @[unitname] = count(); }' \
        -c "sh $TMP/in" | tr -d '\r' | grep dtrace-test | tr -s ' ' | sed "s/-$$/-PID/; s/.*\(.dtrace-test.*\)/\1/"
done
