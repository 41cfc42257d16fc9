#@ what:    a process created by libdtrace starts running when tracing is active, and the trace ends when the process exits
#@ needs:   syscall
"$PROGS/consumer" process "$PROGS/storm" 5000
