#@ what:    stack() in an ERROR clause shows no frames of the tracer
#@ needs:   syscall
out=$($DTRACE -qn '
    BEGIN { trace(*(int *)0); }
    syscall::getppid:entry /pid == $target/ { trace(*(int *)0); }
    ERROR { stack(); printf("%d\n", stackdepth > 0); }' -c "$PROGS/syscalls getppid 1" 2>/dev/null)
echo "$(grep -c 'bpf\|__traceiter' <<<"$out") $(grep -c '^1$' <<<"$out")"
