#@ what:    -x drops prints every drop reason with its count; a run without losses prints no line about losses
taskset -c 0 $DTRACE -x drops -x aggsize=16 -qn 'BEGIN { @[1] = count(); @[2] = count(); @[3] = count(); trace(*(int *)0); } BEGIN { exit(0); }' >/dev/null 2>"$TMP/err"
sed -n '/COUNT/,$p' "$TMP/err" | awk 'NR > 1 { rows++ } $1 != 0 && NR > 1' | sed 's/  */ /g'
grep -c ': ' "$TMP/err" | awk '{ print ($1 > 15 ? "every cause" : "some causes") }'
grep -c '^dtrace: lost' "$TMP/err"
$DTRACE -qn 'BEGIN { @[1] = count(); exit(0); }' 2>&1 | grep lost
exit 0
