#@ what:    -x format=pprof writes the values of each aggregation with a stack key, with their unit, other keys as labels, and build IDs
#@ needs:   syscall pprof
#@ status:  1
GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$TMP/cache go build -o "$TMP/read" pprof_read.go
$DTRACE -x format=pprof -o "$TMP/profile" -qn 'syscall::getppid:entry /pid == $target/
    { @[ustack()] = count(); @time_ns[execname, ustack()] = sum(1500 + arg0); @q[ustack()] = avg(1); ustack(2); }' -c "$PROGS/two_stacks 3"
id=$(readelf -n "$PROGS/two_stacks" | awk '/Build ID/ { print $3 }')
"$TMP/read" "$TMP/profile" | sed "s/$id/ID-OF-PROGRAM/; s/ [0-9a-f]\{40\} / ID /; s/\(\[[a-z0-9].*\] \).*;main;/\1LIBC;main;/; s/\(down;left;\)\{10,\}/MANY;/"
# Kernel frames are the innermost frames of a sample, whether stack() or ustack() is the first key. An existing file is not overwritten.
$DTRACE -x format=pprof -qn 'syscall::getppid:entry /pid == $target/ { @[stack(1), ustack(1)] = sum(7); }' -x flameunit=bytes -c "$PROGS/two_stacks 1" >"$TMP/kernel"
"$TMP/read" "$TMP/kernel" | sed 's/;[a-z0-9_]*$/;KERNEL/; s/ [0-9a-f]\{40\} / ID /'
$DTRACE -x format=pprof -o "$TMP/profile" -qn 'BEGIN { @[stack()] = count(); exit(0); }' 2>&1
