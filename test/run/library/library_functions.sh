#@ what:    libdtrace: each aggregating function has the words that DTrace has
#@ needs:   syscall
"$PROGS/consumer" functions
