#@ what:    libdtrace: a process that the library starts is held until tracing is on, and its end is that of the run
#@ needs:   syscall
"$PROGS/consumer" process "$PROGS/storm" 5000
