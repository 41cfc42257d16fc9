#@ what:    -x follow without a target process is refused
#@ status:  1
#@ stderr:  exact
$DTRACE -x follow=fork -n 'BEGIN { exit(0); }'
