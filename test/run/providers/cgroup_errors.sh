#@ what:    -x cgroup with a path or name that is no control group prints a one-line error
for path in nowhere /nonexistent "$TMP"; do
    $DTRACE -x cgroup=$path -qn 'syscall::getppid:entry { }' 2>&1 >/dev/null | sed "s|$TMP|TMP|; s|group /[a-z/]*/nowhere|group MOUNT/nowhere|"
done
