#@ what:    a write error on the output file ends the run with a message and a nonzero status
#@ needs:   syscall
$DTRACE -qn 'BEGIN { printf("text\n"); exit(0); }' -o /dev/full 2>"$TMP/err"
status=$?
[ $status -ne 0 ] && echo "status not 0"
grep -q '^dtrace: .*No space left on device' "$TMP/err" && echo "reason given"
$DTRACE -qn 'BEGIN { exit(0); }' -o "$TMP/nowhere/file" 2>"$TMP/err"
echo "status $?"
sed "s|$TMP|TMP|" "$TMP/err"
