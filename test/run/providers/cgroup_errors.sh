#@ what:    an invalid control group for -x cgroup gives a one-line error
for path in nowhere /nonexistent "$TMP"; do
    $DTRACE -x cgroup=$path -qn 'syscall::getppid:entry { }' 2>&1 >/dev/null | sed "s|$TMP|TMP|; s|group /[a-z/]*/nowhere|group MOUNT/nowhere|"
done
