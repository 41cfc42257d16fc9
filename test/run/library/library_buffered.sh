#@ what:    libdtrace: without a stream, text goes to the function that was given for it
#@ needs:   syscall
"$PROGS/consumer" buffered
