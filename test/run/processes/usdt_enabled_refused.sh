#@ what:    where programs may not write to processes, one that asks whether a probe is enabled reads 0, and a warning says so; the probe fires all the same
#@ needs:   uprobe no-write-user
$DTRACE -vqo "$TMP/out" -n 'shop$target:::sale { @ = count(); } END { printa("%@d sales\n", @); }' -c "$PROGS/market 4 tell" 2>&1 | sed -n '/^announced/p; s/^dtrace: warning: //p'
grep sales "$TMP/out"
