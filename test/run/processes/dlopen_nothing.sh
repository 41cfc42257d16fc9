#@ what:    a pid probe description that matches nothing is an error, and accepted with -Z
#@ status:  1
$DTRACE -Zqn 'pid$target:a.out:nosuch:entry,pid$target:nosuch.so:f:entry { trace("fired"); } END { printf("ended\n"); }' -c "$PROGS/calls 1"
$DTRACE -qn 'pid$target:nosuch.so:f:entry { }' -c "$PROGS/calls 1" 2>/dev/null
