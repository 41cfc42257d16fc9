#@ what:    -x format=pprof with -x sourcelines writes inlined functions as lines of one location
#@ needs:   uprobe pprof
$DTRACE -qx sourcelines -x format=pprof -o "$TMP/profile" -n 'pid$target:a.out:leaf:entry { @[ustack(3)] = count(); }' -c "$PROGS/inlined"
GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$TMP/cache HOME=$TMP go run pprof_read.go "$TMP/profile" | grep ^sample
