#@ what:    -x follow=exec: children that ask at once whether a probe is enabled are told so
#@ needs:   uprobe
$DTRACE -Z -x follow=exec -qo "$TMP/out" -n 'shop$target:::sale { @ = count(); } END { printa("%@d sales\n", @); }' -c "sh -c '$PROGS/market 50 tell; $PROGS/market 7 tell'"
cat "$TMP/out"
