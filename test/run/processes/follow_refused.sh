#@ what:    -x followchildren without -c or -p is an error
#@ status:  1
#@ stderr:  exact
$DTRACE -x followchildren=fork -n 'BEGIN { exit(0); }'
