#@ what:    for a tracer inside a pid namespace, pid, tid, $target and $pid are ids of this namespace, and stack frames print with names
#@ needs:   syscall
unshare -fp --mount-proc "$DTRACE" -qn 'BEGIN { printf("%d\n", pid == $pid); }
    syscall::getppid:entry /pid == $target/ { printf("%d\n", tid == pid); ustack(2); @[pid == $target] = count(); }
    END { printa("%d %@d\n", @); }' -c "$PROGS/frames" | sed 's/^ *//; s/+.*//; /^$/d'
