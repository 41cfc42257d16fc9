#@ what:    default mode prints the heading and columns as documented
unset DTRACE_REPRODUCIBLE
$DTRACE -n 'BEGIN { trace(1); exit(0); }' 2>/dev/null | sed 's/^ *[0-9]* /CPU /' 
