#@ what:    -x followchildren without a target process is refused
#@ status:  1
#@ stderr:  exact
$DTRACE -x followchildren=fork -n 'BEGIN { exit(0); }'
