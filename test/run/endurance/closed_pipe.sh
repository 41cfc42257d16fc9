#@ what:    a closed output pipe ends the run immediately and silently with status 0
#@ needs:   profile
{ $DTRACE -qn 'tick-1ms { printf("%d\n", n++); }' 2>"$TMP/err"; echo "status $?" >"$TMP/status"; } | head -n 3
cat "$TMP/status" "$TMP/err"
