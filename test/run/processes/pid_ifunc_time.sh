#@ what:    time(2) resolved by the C library to the vdso cannot be probed; the message gives the reason, also if another file has a function of that name
#@ needs:   uprobe x86-64
$DTRACE -n 'pid$target:libc:time:entry' -c "$PROGS/chooser 7" 2>&1 | sed -n '1s/.*time:entry: //p'
$DTRACE -n 'pid$target::time:entry' -c "$PROGS/ifuncs 7" 2>&1 | sed -n '1s/.*time:entry: //p'
