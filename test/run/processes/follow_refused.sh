#@ what:    -x follow without a process to follow is refused
#@ status:  1
#@ stderr:  exact
$DTRACE -x follow=fork -n 'BEGIN { exit(0); }'
