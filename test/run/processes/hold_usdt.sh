#@ what:    -x followchildren=exec fires the early USDT probes NAME$target of every program that children execute
cp "$PROGS/market" "$TMP/other"
$DTRACE -Z -x followchildren=exec -qn 'shop$target:::sale { @ = count(); } END { printa("%@d sales\n", @); }' -c "sh -c '$PROGS/market 50; $TMP/other 20; $PROGS/market 7'"
$DTRACE -Z -x followchildren=exec -qn 'forms$target:::twice { @ = count(); } END { printa("%@d of both sites\n", @); }' -c "sh -c '$PROGS/notes 5; $PROGS/notes 6'"
