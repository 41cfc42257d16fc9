#@ what:    libdtrace returns the code and message of an error, and passes faults to a callback
#@ needs:   syscall
"$PROGS/consumer" errors
