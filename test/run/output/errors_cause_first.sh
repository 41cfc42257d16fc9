#@ what:    on a terminal, an error in a one-line program begins with the cause; elsewhere it begins with DTrace's classic first line
#@ needs:   syscall
unset DTRACE_REPRODUCIBLE
on_terminal() { script -qec "env TERM=dumb $DTRACE $1 -en 'BEGIN { trace(execnam); }'" /dev/null | tr -d '\r'; }
on_terminal | head -n 2
on_terminal '-x errtags' | head -n 1
on_terminal '-x diag=brief'
$DTRACE -en 'BEGIN { trace(execnam); }' 2>&1 | head -n 1
