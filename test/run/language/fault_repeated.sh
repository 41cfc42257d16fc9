#@ what:    on a terminal, a repeated fault prints once and its count at the end; on a pipe it prints ten times; with errtags it prints each time
#@ needs:   syscall
export DTRACE_REPRODUCIBLE=
clause='syscall::getppid:entry /pid == $target/ { trace(1 / (arg0 - arg0)); }'
export clause
faults() { script -qec "$DTRACE -q $1 -n \"\$clause\" -c '$PROGS/syscalls getppid 1300'" /dev/null; }
faults '' | tr -d '\r' | grep -v 'so far$' | sed 's/pc [0-9]*/pc N/; s/ID [0-9]*/ID N/'
faults '-x errtags' | grep -c divide-by-zero
$DTRACE -qn "$clause" -c "$PROGS/syscalls getppid 1300" 2>"$TMP/err" >/dev/null
grep -c 'divide-by-zero at BPF pc [0-9]*$' "$TMP/err"
sed -n 's/.*repeated \(.*times\)$/\1/p' "$TMP/err"
$DTRACE -qx errtags -n "$clause" -c "$PROGS/syscalls getppid 1300" 2>&1 >/dev/null | grep -c divide-by-zero
