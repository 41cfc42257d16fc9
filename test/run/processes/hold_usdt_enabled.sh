#@ what:    -x followchildren=exec makes early is-enabled checks of children true
#@ needs:   uprobe
$DTRACE -Z -x followchildren=exec -qo "$TMP/out" -n 'shop$target:::sale { @ = count(); } END { printa("%@d sales\n", @); }' -c "sh -c '$PROGS/market 50 tell; $PROGS/market 7 tell'"
cat "$TMP/out"
