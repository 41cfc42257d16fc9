#@ what:    container is the short id of a process's container, also in a nested control group, and cgroup is the id of the control group
#@ needs:   syscall guest
set -e
id=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
group=/sys/fs/cgroup/docker-$id.scope
mkdir -p $group/inner
program='syscall::getppid:entry /execname == "syscalls"/ { printf("%s %d\n", container, cgroup == $1); }'
for into in $group $group/inner /sys/fs/cgroup; do
    echo "sh -c 'echo \$\$ >$into/cgroup.procs; exec $PROGS/syscalls getppid 1'" >$TMP/in
    $DTRACE -qn "$program" $(stat -c %i $into) -c "sh $TMP/in" | sed '/^$/d'
done
rmdir $group/inner $group
