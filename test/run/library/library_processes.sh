#@ what:    libdtrace reports the end of each process once, with its exit status or signal
#@ needs:   syscall
"$PROGS/consumer_handlers" processes
