#@ what:    -x format=pprof with -x sourcelines gives the source lines of inlined functions
#@ needs:   uprobe pprof
$DTRACE -qx sourcelines -x format=pprof -o "$TMP/profile" -n 'pid$target:a.out:leaf:entry { @[ustack(3)] = count(); }' -c "$PROGS/inlined"
GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$TMP/cache HOME=$TMP go run pprof_read.go "$TMP/profile" | grep ^sample
