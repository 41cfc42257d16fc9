#@ what:    exit() sets the status even if its probe hit finds the buffer full, and END prints completely
#@ needs:   syscall
$DTRACE -b 4k -x switchrate=10s -qn 'syscall::getppid:entry /pid == $target/ { printf("%0512d\n", n++); }
    syscall::getppid:entry /n == 100/ { exit(5); }
    END { printf("end of %d\n", n); }' -c "$PROGS/storm 1000" 2>/dev/null | grep end
echo "${PIPESTATUS[0]}"
