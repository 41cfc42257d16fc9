#@ what:    libdtrace: what is wrong is told by number and text, and a fault by its function
#@ needs:   syscall
"$PROGS/consumer" errors
