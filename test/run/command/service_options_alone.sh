#@ what:    an option that only a service supports is an error without --service, and the error names an alternative
#@ needs:   syscall
try() { $DTRACE -x "$1" -qn 'BEGIN { exit(0); }' 2>&1; echo "status $?"; }
try metrics=127.0.0.1:80000
try memorymax=some.service
