#@ what:    the libdtrace API walks a snapshot of aggregations by keys and by values
#@ needs:   syscall
"$PROGS/consumer" aggregations
