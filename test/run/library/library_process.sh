#@ what:    a process started by libdtrace waits until tracing is on, and its end ends the run
#@ needs:   syscall
"$PROGS/consumer" process "$PROGS/storm" 5000
