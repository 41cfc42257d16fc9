#@ what:    without -q, the heading and the columns of a record have the documented form
unset DTRACE_REPRODUCIBLE
$DTRACE -n 'BEGIN { trace(1); exit(0); }' 2>/dev/null | sed 's/^ *[0-9]* /CPU /' 
