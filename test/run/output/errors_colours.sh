#@ what:    errors are coloured on a terminal unless NO_COLOR or TERM=dumb is set
unset DTRACE_REPRODUCIBLE NO_COLOR
escapes() { grep -c "$(printf '\033')"; }
on_terminal() { script -qec "env $1 $DTRACE -en 'BEGIN { trace(execnam); }'" /dev/null; }
on_terminal TERM=xterm | escapes
on_terminal 'TERM=xterm NO_COLOR=1' | escapes
on_terminal TERM=dumb | escapes
TERM=xterm $DTRACE -en 'BEGIN { trace(execnam); }' 2>&1 | escapes
exit 0
