#@ what:    time(2), which the C library chooses by what the vdso has, has no probe, and the reason is told, also where another file has a function of that name
#@ needs:   uprobe x86-64
$DTRACE -n 'pid$target:libc:time:entry' -c "$PROGS/chooser 7" 2>&1 | sed -n '1s/.*time:entry: //p'
$DTRACE -n 'pid$target::time:entry' -c "$PROGS/ifuncs 7" 2>&1 | sed -n '1s/.*time:entry: //p'
