#@ what:    using an argument in a floating-point register is an error that says where it is
$DTRACE -n 'pid$target:a.out:scaled:entry { trace(args[1]); }' -c "$PROGS/typed" 2>&1 | grep -o 'args\[1\] of.*' | sed 's/pid[0-9]*/pid/; s/ in [xmv]*0,/ in FIRST,/'
$DTRACE -n 'pid$target:a.out:main:entry { trace(args[0]); }' -c "$PROGS/calls" 2>&1 | grep -o 'index 0 .*' | sed 's/pid[0-9]*/pid/'
$DTRACE -lvn 'pid$target:a.out:main:entry' -c "$PROGS/calls" | grep -o 'there is no debug.*'
