#@ what:    several threads can load libraries at the same time; no call is missed, and the program's signals arrive
for i in 0 1 2 3 4 5 6 7; do
    cp "$PROGS/libcalled.so" "$TMP/lib$i.so"
done
$DTRACE -Zqn 'pid$target:lib[0-7].so:called:entry { @[probemod] = count(); } END { printa("%s %@d\n", @); }' \
    -c "$PROGS/loaders $TMP/lib0.so $TMP/lib1.so $TMP/lib2.so $TMP/lib3.so $TMP/lib4.so $TMP/lib5.so $TMP/lib6.so $TMP/lib7.so" | sort
