#@ what:    where a function begins its caller is known, though the code has frame pointers only
$DTRACE -qn 'pid$target:a.out:inner:entry { ustack(4); }' -c "$PROGS/nested_framed" | sed 's/^ *//; s/+.*//'
