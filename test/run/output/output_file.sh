#@ what:    -o appends the output of the trace to a file
#@ needs:   syscall
echo "before" >"$TMP/out"
$DTRACE -qn 'BEGIN { printf("data\n"); @ = sum(3); exit(0); }' -o "$TMP/out"
echo "status $?"
cat "$TMP/out"
