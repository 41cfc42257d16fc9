#@ what:    -x format=pprof writes each chain of blame() as a stack and each part of breakdown() as a frame, in nanoseconds
#@ needs:   syscall pprof
GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$TMP/cache go build -o "$TMP/read" pprof_read.go
$DTRACE -x format=pprof -o "$TMP/profile" -qn 'syscall::clock_nanosleep:entry /pid == $target/ { self->t = mark(); }
    syscall::clock_nanosleep:return /self->t/ { @blamed[execname] = blame(self->t); @parts[probefunc] = breakdown(self->t); self->t = 0; }' -c 'sleep 0.01'
"$TMP/read" "$TMP/profile" | grep '^type\|timer' | sed 's/[0-9]\{5,\}/N/g'
