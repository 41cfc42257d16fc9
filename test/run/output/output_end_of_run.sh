#@ what:    a normal run ends with an empty line, in quiet mode and without output too
unset DTRACE_REPRODUCIBLE
$DTRACE -qn 'BEGIN { exit(0); }'
$DTRACE -qn 'BEGIN { @ = count(); exit(0); }' 
