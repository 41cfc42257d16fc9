#@ what:    with -x followchildren=exec, is-enabled checks are true from the first one on in programs that children execute
#@ needs:   uprobe
$DTRACE -Z -x followchildren=exec -qo "$TMP/out" -n 'shop$target:::sale { @ = count(); } END { printa("%@d sales\n", @); }' -c "sh -c '$PROGS/market 50 tell; $PROGS/market 7 tell'"
cat "$TMP/out"
