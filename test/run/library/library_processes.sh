#@ what:    libdtrace: the end of each process is told once, with how it ended
#@ needs:   syscall
"$PROGS/consumer_handlers" processes
