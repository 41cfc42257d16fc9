#@ what:    using an argument in a floating-point register, or a structure in several registers, is an error that says where it is
$DTRACE -n 'pid$target:a.out:scaled:entry { trace(args[1]); }' -c "$PROGS/typed" 2>&1 | grep -o 'args\[1\] of.*' | sed 's/pid[0-9]*/pid/; s/ in [xmv]*0,/ in FIRST,/'
$DTRACE -n 'pid$target:a.out:scaled:entry { trace(args[2]); }' -c "$PROGS/typed" 2>&1 | grep -o 'args\[2\] of.*' | sed 's/pid[0-9]*/pid/'
told='is arg1' # on 64-bit Arm x8 is the address of the result at the entry; functions may overwrite it
[ "$(uname -m)" != aarch64 ] || told="is in uregs\[R_X8\] at the function's entry"
$DTRACE -n 'pid$target:a.out:copied:return { trace(args[1]); }' -c "$PROGS/typed" 2>&1 | grep -o 'args\[1\] of.*' | sed "s/pid[0-9]*/pid/; s/ $told\$/ is TOLD/"
$DTRACE -n 'pid$target:a.out:main:entry { trace(args[0]); }' -c "$PROGS/calls" 2>&1 | grep -o 'index 0 .*' | sed 's/pid[0-9]*/pid/'
$DTRACE -lvn 'pid$target:a.out:main:entry' -c "$PROGS/calls" | grep -o 'there is no debug.*'
