#@ what:    a run ends with an empty line, also with -q and without output
unset DTRACE_REPRODUCIBLE
$DTRACE -qn 'BEGIN { exit(0); }'
$DTRACE -qn 'BEGIN { @ = count(); exit(0); }' 
