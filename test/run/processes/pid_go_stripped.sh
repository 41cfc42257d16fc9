#@ what:    functions of a Go program without symbol table have names, arguments and stacks from Go's own function table
#@ needs:   go objcopy
objcopy --strip-all "$PROGS/gopher" "$TMP/stripped"
$DTRACE -qs pid_go.d -c "$TMP/stripped 1000"
$DTRACE -qn 'pid$target:a.out:main.add:entry { ustack(2); exit(0); }' -c "$TMP/stripped 10" | sed -n 's/.*`\([a-z.]*\).*/\1/p'
