#@ what:    -x errors=json prints each error as one JSON object with tag, position and hint, and prints no other text
#@ needs:   open
printf 'BEGIN { trace(execnam); }\nBEGIN { trace(nosuch); }\n' >"$TMP/script.d"
$DTRACE -x errors=json -es "$TMP/script.d" 2>"$TMP/err"
echo "status $?"
sed "s|$TMP/||" "$TMP/err"
$DTRACE -x errors=json -en 'syscall::open:entry { }' 2>&1
printf '#pragma D option errors=json\nBEGIN { x = 0x1g; }\n' >"$TMP/script.d"
$DTRACE -es "$TMP/script.d" 2>&1 | sed "s|$TMP/||"
$DTRACE -en 'BEGIN { x = 0x1g; }' 2>&1 | grep -c '^{'
exit 0
