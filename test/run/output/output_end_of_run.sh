#@ what:    without DTRACE_REPRODUCIBLE: an empty line at the end, also in quiet mode and with nothing printed
unset DTRACE_REPRODUCIBLE
$DTRACE -qn 'BEGIN { exit(0); }'
$DTRACE -qn 'BEGIN { @ = count(); exit(0); }' 
