#@ what:    -p with a number that no process has: the number is said
$DTRACE -p 99999999 -n BEGIN 2>&1
exit 0
