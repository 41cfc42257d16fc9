#@ what:    is-enabled checks also work in a file that -G made without object files
#@ needs:   uprobe cc
cp ../../progs/market.d ../../progs/market.c "$TMP"
cd "$TMP" && $DTRACE -h -s market.d && $DTRACE -G -s market.d -o probes.o && cc -O2 market.c probes.o -o market || exit 1
$DTRACE -qo out -n 'shop$target:::sale { @ = count(); } END { printa("%@d sales\n", @); }' -c './market 4 tell'
cat out
$DTRACE -qo other -n 'shop$target:::close-day { @ = count(); } END { printa("%@d days\n", @); }' -c './market 3 tell'
cat other
