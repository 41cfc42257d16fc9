#@ what:    user stacks are complete while return probes on their functions are attached
#@ needs:   syscall
$DTRACE -qn 'pid$target:a.out:middle:return, pid$target:a.out:outer:return { }
    pid$target:a.out:inner:entry, syscall::getppid:entry /pid == $target/ { ustack(4); }
    pid$target:a.out:middle:return { ustack(2); }' -c "$PROGS/nested" | sed 's/^ *//; s/+.*//'
