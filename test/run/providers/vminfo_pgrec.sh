#@ what:    vminfo:::pgrec fires when a process touches a page for the first time and no disk access is needed
$DTRACE -qn 'int calls, faults;
syscall::getppid:entry /pid == $target/ { calls++; }
vminfo:::pgrec /pid == $target && calls == 1/ { faults += arg0; }
END { printf("%d\n", faults); }' -c "$PROGS/touch_pages 300"
