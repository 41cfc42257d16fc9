#@ what:    a bufsize that is no power-of-two number of pages is rounded up with a message, unless quietresize
$DTRACE -b 5000 -qn 'BEGIN { exit(0); }' 2>&1
$DTRACE -b 5000 -x quietresize -qn 'BEGIN { exit(0); }' 2>&1
$DTRACE -b 8k -qn 'BEGIN { exit(0); }' 2>&1
DTRACE_REPRODUCIBLE= $DTRACE -b 5000 -qn 'BEGIN { exit(0); }' 2>&1
