#@ what:    a control group that is none is one line
for path in nowhere /nonexistent "$TMP"; do
    $DTRACE -x cgroup=$path -qn 'syscall::getppid:entry { }' 2>&1 >/dev/null | sed "s|$TMP|TMP|; s|group /[a-z/]*/nowhere|group MOUNT/nowhere|"
done
