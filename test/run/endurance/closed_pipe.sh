#@ what:    when the reader of its output pipe exits, dtrace ends immediately with status 0 and without a message
#@ needs:   profile
{ $DTRACE -qn 'tick-1ms { printf("%d\n", n++); }' 2>"$TMP/err"; echo "status $?" >"$TMP/status"; } | head -n 3
cat "$TMP/status" "$TMP/err"
