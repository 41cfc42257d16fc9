#@ what:    at a function's entry, before it has set its frame pointer, the stack also contains the caller
$DTRACE -qn 'pid$target:a.out:inner:entry { ustack(4); }' -c "$PROGS/nested_framed" | sed 's/^ *//; s/+.*//'
