#@ what:    probes, arguments and stacks of a Go program linked without symbols use the names in Go's own function table
#@ needs:   go objcopy
objcopy --strip-all "$PROGS/gopher" "$TMP/stripped"
$DTRACE -qs pid_go.d -c "$TMP/stripped 1000"
$DTRACE -qn 'pid$target:a.out:main.add:entry { ustack(2); exit(0); }' -c "$TMP/stripped 10" | sed -n 's/.*`\([a-z.]*\).*/\1/p'
