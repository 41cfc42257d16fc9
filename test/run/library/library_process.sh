#@ what:    a process created by libdtrace starts when tracing is on, and the trace ends when the process exits
#@ needs:   syscall
"$PROGS/consumer" process "$PROGS/storm" 5000
