#@ what:    a probe on time() is an error with the reason if the C library takes the function from the vdso
#@ needs:   uprobe x86-64
$DTRACE -n 'pid$target:libc:time:entry' -c "$PROGS/chooser 7" 2>&1 | sed -n '1s/.*time:entry: //p'
$DTRACE -n 'pid$target::time:entry' -c "$PROGS/ifuncs 7" 2>&1 | sed -n '1s/.*time:entry: //p'
