#@ what:    service-only options are refused for a single trace, with the option to use instead
#@ needs:   syscall
try() { $DTRACE -x "$1" -qn 'BEGIN { exit(0); }' 2>&1; echo "status $?"; }
try metrics=127.0.0.1:80000
try memorymax=some.service
