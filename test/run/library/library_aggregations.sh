#@ what:    a libdtrace program can read a snapshot of aggregations in the order of keys or of values
#@ needs:   syscall
"$PROGS/consumer" aggregations
