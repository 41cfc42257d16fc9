#@ what:    option bufsize is rounded up to a power of two pages, with a message unless option quietresize is set
$DTRACE -b 5000 -qn 'BEGIN { exit(0); }' 2>&1
$DTRACE -b 5000 -x quietresize -qn 'BEGIN { exit(0); }' 2>&1
$DTRACE -b 8k -qn 'BEGIN { exit(0); }' 2>&1
DTRACE_REPRODUCIBLE= $DTRACE -b 5000 -qn 'BEGIN { exit(0); }' 2>&1
