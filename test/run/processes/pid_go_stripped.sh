#@ what:    a Go program that was linked without symbols has probes, arguments and stacks by the names of Go's own table of functions
#@ needs:   go objcopy
objcopy --strip-all "$PROGS/gopher" "$TMP/stripped"
$DTRACE -qs pid_go.d -c "$TMP/stripped 1000"
$DTRACE -qn 'pid$target:a.out:main.add:entry { ustack(2); exit(0); }' -c "$TMP/stripped 10" | sed -n 's/.*`\([a-z.]*\).*/\1/p'
