#@ what:    libdtrace returns the number and text of an error, and passes faults to a callback
#@ needs:   syscall
"$PROGS/consumer" errors
