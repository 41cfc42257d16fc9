#@ what:    functions with probes have their own names in stacks and descriptions, not those that -G gives them beside
#@ needs:   uprobe
$DTRACE -qn 'shop$target:::sale { @[ufunc(arg0 * 0 + uregs[R_PC]), ufunc(ucaller)] = count(); } END { printa("%A %A %@d\n", @); }' -c "$PROGS/market 2"
$DTRACE -qn 'pid$target:a.out:close_day:entry { printf("%s\n", probefunc); }' -c "$PROGS/market 1"
