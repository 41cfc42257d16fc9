#@ what:    probes on strlen() of the C library, which has several implementations (IFUNC), fire for each call
#@ needs:   uprobe
$DTRACE -qn 'pid$target:libc:strlen:entry /copyinstr(arg0) == "a text of the chooser"/ { self->mine = 1; @ = count(); }
    pid$target:libc:strlen:return /self->mine/ { self->mine = 0; @length = sum(arg1); } END { printa("%@d", @); printa(" %@d\n", @length); }' -c "$PROGS/chooser 7"
