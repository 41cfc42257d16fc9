#@ needs:   x86-64
#@ what:    an empty probe name matches entry, return and every instruction, and an offset inside an instruction is an error
$DTRACE -qn 'pid$target:a.out:keeps:,pid$target:a.out:nosuch*: { @[probename] = count(); } END { printa("%s %@d\n", @); }' -c "$PROGS/red_zone 2" -Z | grep -v '^f '
$DTRACE -qn 'pid$target:a.out:keeps:2 { }' -c "$PROGS/red_zone 2" 2>&1 | grep -o 'inside of an instruction.*'
