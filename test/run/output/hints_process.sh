#@ what:    -p with a nonexistent process reports its number
$DTRACE -p 99999999 -n BEGIN 2>&1
exit 0
