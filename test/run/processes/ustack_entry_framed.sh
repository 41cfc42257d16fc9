#@ what:    at function entry, the caller's frame is known although the code has only frame pointers
$DTRACE -qn 'pid$target:a.out:inner:entry { ustack(4); }' -c "$PROGS/nested_framed" | sed 's/^ *//; s/+.*//'
