#@ what:    -x target and -x kernel compile a program for another machine or kernel, and the compiled program is refused on this machine
#@ needs:   host
running=/sys/kernel/btf/vmlinux
dtrace() {
    $DTRACE "$@" 2>&1 | sed -n 's/^dtrace: //p'
}
# 56 is the number of openat(2) in asm-generic/unistd.h. The code compares with it twice: once as the call number of any program, once as that of a 64-bit program.
$DTRACE -x target=arm64 -e -S -n 'syscall::openat:entry /arg1 == 0/ { trace(arg1); }' >"$TMP/arm" 2>&1 && grep -c ', 56, ' "$TMP/arm"
dtrace -x target=arm64 -e -n 'syscall::open:entry { }'
$DTRACE -x target=arm64 -e -n 'syscall::*stat*:entry { }' >"$TMP/all" 2>&1 && echo compiled
dtrace -x target=arm64 -n 'BEGIN { exit(0); }'
dtrace -x kernel=$running -x target=arm64 -e -n 'BEGIN { }'
dtrace -x kernel=/dev/null -e -n 'BEGIN { }'
# If -x kernel names the type information of the running kernel, the code is the same as without -x kernel. (With -x
# kernel, features of the kernel cannot be tried, so some of them are assumed to be missing.)
program='proc:::exec-success, io:::start { @ = count(); }'
$DTRACE -x kernel=$running -e -S -n "$program" >"$TMP/there" 2>&1
$DTRACE -e -S -n "$program" >"$TMP/here" 2>&1
cmp "$TMP/there" "$TMP/here" && echo same
