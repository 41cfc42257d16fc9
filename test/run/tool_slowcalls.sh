#@ what:    slowcalls.d: all calls that took much longer than others of their kind, and none that always take long; what they waited for
#@ needs:   syscall
"$DTRACE" -s slowcalls.d 6 250000 -c "$PROGS/pulse" > "$TMP/shown"
awk 'NF == 5 && $4 + 0 >= 250000 { print $3, int($4 / 100000) }' "$TMP/shown"
grep -c 'nanosleep(0x' "$TMP/shown"
grep 'poll(0x' "$TMP/shown" | sed 's/^ *[0-9]* //'
grep -c 'pulse`main' "$TMP/shown"
grep -c 'slept in' "$TMP/shown"
