#@ what:    functions with USDT probes keep their names in stacks and probe descriptions
#@ needs:   uprobe
$DTRACE -qn 'shop$target:::sale { @[ufunc(arg0 * 0 + uregs[R_PC]), ufunc(ucaller)] = count(); } END { printa("%A %A %@d\n", @); }' -c "$PROGS/market 2"
$DTRACE -qn 'pid$target:a.out:close_day:entry { printf("%s\n", probefunc); }' -c "$PROGS/market 1"
