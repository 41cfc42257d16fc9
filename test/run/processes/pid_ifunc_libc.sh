#@ what:    probes on strlen of the C library, which is chosen by processor, fire for each call; time(2) in the vdso has none, and the reason is told
#@ needs:   uprobe
$DTRACE -qn 'pid$target:libc:strlen:entry /copyinstr(arg0) == "a text of the chooser"/ { self->mine = 1; @ = count(); }
    pid$target:libc:strlen:return /self->mine/ { self->mine = 0; @length = sum(arg1); } END { printa("%@d", @); printa(" %@d\n", @length); }' -c "$PROGS/chooser 7"
$DTRACE -n 'pid$target:libc:time:entry' -c "$PROGS/chooser 7" 2>&1 | sed -n '1s/.*time:entry: //p'
