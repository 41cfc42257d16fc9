#@ what:    libdtrace: a snapshot of aggregations, walked by keys and by values
#@ needs:   syscall
"$PROGS/consumer" aggregations
