#@ what:    if the buffer is full when exit() runs, the status is still set and END prints all its output
#@ needs:   syscall
$DTRACE -b 4k -x switchrate=10s -qn 'syscall::getppid:entry /pid == $target/ { printf("%0512d\n", n++); }
    syscall::getppid:entry /n == 100/ { exit(5); }
    END { printf("end of %d\n", n); }' -c "$PROGS/storm 1000" 2>/dev/null | grep end
echo "${PIPESTATUS[0]}"
