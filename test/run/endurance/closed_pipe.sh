#@ what:    a closed pipe ends the run at once, silently, with status 0
#@ needs:   profile
{ $DTRACE -qn 'tick-1ms { printf("%d\n", n++); }' 2>"$TMP/err"; echo "status $?" >"$TMP/status"; } | head -n 3
cat "$TMP/status" "$TMP/err"
