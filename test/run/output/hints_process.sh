#@ what:    -p with a process number that does not exist prints this number in the error
$DTRACE -p 99999999 -n BEGIN 2>&1
exit 0
