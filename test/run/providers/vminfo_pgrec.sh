#@ what:    vminfo:::pgrec: a fault that needs no disk for each page of memory that a process touches for the first time
$DTRACE -qn 'int calls, faults;
syscall::getppid:entry /pid == $target/ { calls++; }
vminfo:::pgrec /pid == $target && calls == 1/ { faults += arg0; }
END { printf("%d\n", faults); }' -c "$PROGS/touch_pages 300"
