#@ what:    -l lists probes with their ids, and BEGIN, END and ERROR have the ids 1 to 3
#@ needs:   syscall
$DTRACE -l -P dtrace 2>&1 | sed 's/  *$//'
echo "status $?"
$DTRACE -l -n syscall::getppid: 2>&1 | awk 'NR > 1 { print $2, $3, $4, $5 }'
$DTRACE -l -n nosuch:::probe >/dev/null 2>"$TMP/err"
echo "status $?"
cat "$TMP/err"
