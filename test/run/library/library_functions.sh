#@ what:    the libdtrace API uses DTrace's names for each aggregating function
#@ needs:   syscall
"$PROGS/consumer" functions
