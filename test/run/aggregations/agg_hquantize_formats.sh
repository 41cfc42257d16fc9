#@ what:    hquantize() works with JSON lines, CSV, option aggpack, normalize(), clear() and --merge
program='BEGIN { @["k"] = hquantize(-3, 2); @["k"] = hquantize(1000, 2, 4); exit(0); }'
$DTRACE -qx format=jsonl -n "$program" | grep -o '"buckets":.*'
$DTRACE -qx format=csv -n "$program" | tr -d '\r' | grep '^table,key\|^@'
LC_ALL=C $DTRACE -qx aggpack -n 'BEGIN { @ = hquantize(3, 0); @ = hquantize(9, 0, 8); exit(0); }'
for host in a b; do $DTRACE -qx format=snapshot -x labels=host=$host -n "$program" >"$TMP/$host"; done
$DTRACE --merge "$TMP/a" "$TMP/b" 2>/dev/null | grep '[1-9] *$'
$DTRACE -qn 'BEGIN { @ = hquantize(7, 0); normalize(@, 2); @ = hquantize(7, 0, 9); printa(@); clear(@); printa(@); exit(0); }' | grep '[|]'
