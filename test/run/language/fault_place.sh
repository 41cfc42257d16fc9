#@ what:    the first fault at a position in the program prints the expression and a hint, and later faults there print only the error line
#@ needs:   syscall
export DTRACE_REPRODUCIBLE=
cat >"$TMP/reads.d" <<'D'
syscall::getppid:entry
/pid == $target/
{
	this->fd = (uintptr_t)0xffffff9c;
	trace(copyinstr(this->fd));
}
D
cd "$TMP" && $DTRACE -qs reads.d -c "$PROGS/syscalls getppid 3" 2>&1 | sed 's/pc [0-9]*/pc N/; s/ID [0-9]*/ID N/'
$DTRACE -q -x diag=brief -s reads.d -c "$PROGS/syscalls getppid 1" 2>&1 | grep -c .
