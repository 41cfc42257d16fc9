#@ what:    the libdtrace API reports the end of each process once, with its cause
#@ needs:   syscall
"$PROGS/consumer_handlers" processes
