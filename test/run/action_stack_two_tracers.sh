#@ what:    a stack has the same frames while another tracer uses the same tracepoint
#@ needs:   syscall
depth() { "$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { trace(stackdepth); exit(0); }' -c "$PROGS/syscalls getppid 1"; }
alone=$(depth)
"$DTRACE" -qn 'syscall:::entry { @ = count(); } tick-1s { printf("on\n"); }' >"$TMP/other" &
other=$!
until grep -q on "$TMP/other"; do sleep 0.1; done
beside=$(depth)
kill -TERM $other
wait $other
[ "$alone" -gt 0 ] && [ "$alone" = "$beside" ] && echo same
