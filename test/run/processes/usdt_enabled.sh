#@ what:    a USDT is-enabled check is 1 while the probe is enabled, and 0 otherwise
#@ needs:   uprobe
$DTRACE -qo "$TMP/out" -n 'shop$target:::sale { @ = count(); } END { printa("%@d sales\n", @); }' -c "$PROGS/market 4 tell"
cat "$TMP/out"
$DTRACE -qo "$TMP/other" -n 'shop$target:::many { @ = count(); } END { printa("%@d of another probe\n", @); }' -c "$PROGS/market 3 tell"
cat "$TMP/other"
