#@ what:    a function that the compiler replaced by a clone can be probed under its source name, and -lv says so
#@ needs:   uprobe
$DTRACE -qn 'pid$target:a.out:scaled:entry, pid$target:a.out:shifted:entry, pid$target:a.out:split:entry { @[probefunc] = count(); }
    END { printa("%s %@d\n", @); }' -c "$PROGS/clones 3"
$DTRACE -ln 'pid$target:a.out:s*l*:entry' -c "$PROGS/clones 1" | awk 'NR > 1 { print $4 }' | LC_ALL=C sort
$DTRACE -lvn 'pid$target:a.out:shifted:entry' -c "$PROGS/clones 1" | sed -n 's/^[ \t]*\(.*compiler.*\)/\1/p'
$DTRACE -qn 'pid$target:a.out:split.cold:entry { } END { printf("by its name\n"); }' -c "$PROGS/clones 1"
