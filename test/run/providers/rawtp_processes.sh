#@ what:    rawtp probes of fork, exec and exit fire once for each, with arguments of kernel types
#@ needs:   root
echo 'for i in 1 2 3; do /bin/true & wait $!; done' >"$TMP/forks"
"$DTRACE" -q -c "sh $TMP/forks" -n '
rawtp:sched::sched_process_fork /pid == $target/ { @["fork", stringof(args[0]->comm), args[0]->pid == $target && args[1]->pid != $target] = count(); }
rawtp:sched::sched_process_ex* /ppid == $target/ { @[probename, execname, 1] = count(); }
END { printa("%s %s %d %@d\n", @); }' | sort
