#@ what:    with -x cgroup, probes fire only for processes in the control group and its subgroups, but tick probes always fire
#@ needs:   syscall guest
group=/sys/fs/cgroup/traced
mkdir -p $group/inner
for into in $group/inner $group /sys/fs/cgroup; do
    echo "sh -c 'echo \$\$ >$into/cgroup.procs; exec $PROGS/syscalls getppid 5'; until grep -q tick $TMP/out; do sleep 0.05; done" >$TMP/in # the command ends after a tick
    : >$TMP/out
    $DTRACE -x cgroup=$group -qn 'syscall::getppid:entry { @ = count(); } tick-10ms { ticks++; } tick-10ms /ticks == 1/ { printf("a tick\n"); } END { printa("%@d", @); printf(" ticks: %s\n", ticks ? "some" : "none"); }' \
        -c "sh $TMP/in" >$TMP/out
    grep ticks: $TMP/out
done
rmdir $group/inner $group
