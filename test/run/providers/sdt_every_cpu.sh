#@ what:    sdt events fire on each CPU to which a program is pinned
#@ needs:   smp
for cpu in 0 1; do
    $DTRACE -qn 'sdt:sched::sched_switch /pid == $target && execname == "sleeper"/ { @[cpu] = count(); } END { printa("%d %@d\n", @); }' \
        -c "taskset -c $cpu $PROGS/sleeper 1" | awk 'NF == 2 { seen[$1] = $2 } END { for (cpu in seen) print cpu, (seen[cpu] >= 20) }'
done
