#@ what:    arg1 of a watchpoint is the value after each access; write does not fire for reads, and rw fires for both
#@ needs:   x86-64
$DTRACE -qn 'watch$target:a.out:narrow:write { printf("write %d\n", arg1); }' -c "$PROGS/writers 1" | grep -v '^6$'
$DTRACE -qn 'watch$target:a.out:narrow:rw { @[arg1] = count(); }
END { printa("value %d accesses %@d\n", @); }' -c "$PROGS/writers 1" | grep -v '^6$'
