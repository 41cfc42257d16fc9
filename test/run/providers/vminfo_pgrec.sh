#@ what:    vminfo:::pgrec fires for each page that a process first touches and that needs no disk access
$DTRACE -qn 'int calls, faults;
syscall::getppid:entry /pid == $target/ { calls++; }
vminfo:::pgrec /pid == $target && calls == 1/ { faults += arg0; }
END { printf("%d\n", faults); }' -c "$PROGS/touch_pages 300"
