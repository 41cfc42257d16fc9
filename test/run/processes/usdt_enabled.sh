#@ what:    an is-enabled check of a USDT probe is 1 while a tracer has enabled the probe, and 0 otherwise
#@ needs:   uprobe
$DTRACE -qo "$TMP/out" -n 'shop$target:::sale { @ = count(); } END { printa("%@d sales\n", @); }' -c "$PROGS/market 4 tell"
cat "$TMP/out"
$DTRACE -qo "$TMP/other" -n 'shop$target:::many { @ = count(); } END { printa("%@d of another probe\n", @); }' -c "$PROGS/market 3 tell"
cat "$TMP/other"
