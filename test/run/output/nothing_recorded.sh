#@ what:    on a terminal without -q, a run without any output ends with a message about possible reasons
#@ needs:   syscall
unset DTRACE_REPRODUCIBLE
on_terminal() { script -qec "env TERM=dumb $DTRACE $*" /dev/null | tr -d '\r' | grep -A1 'nothing was recorded'; echo "--"; }
on_terminal -n "'syscall::sched_yield:entry /pid == \$target/ { @ = count(); }'" -c "'sh -c \"$PROGS/syscalls sched_yield 1; true\"'"
on_terminal -n "'syscall::sethostname:entry'" -c true
on_terminal -qn "'syscall::sethostname:entry'" -c true
on_terminal -n "'BEGIN { trace(1); exit(0); }'"
on_terminal -n "'END { @ = count(); }'" -c true
$DTRACE -n 'syscall::sethostname:entry' -c true 2>&1 | grep -c 'nothing was recorded'
exit 0
