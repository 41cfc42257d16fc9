#@ what:    user stacks of Go programs are complete up to the start of the goroutine, also in stripped programs
#@ needs:   syscall go objcopy
called_by() { $DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(); printf("%d frames", ustackdepth); }' -c "$1 1"; }
called_by "$PROGS/deep_go" | sed -n 's/+0x.*//; s/^ *deep_go`\(main\.\|runtime.goexit\)/\1/p'
objcopy --strip-all "$PROGS/deep_go" "$TMP/stripped"
[ "$(called_by "$PROGS/deep_go" | tail -n 1)" = "$(called_by "$TMP/stripped" | tail -n 1)" ] && echo "as many"
