#@ what:    libdtrace passes printed aggregations to a callback one key or value at a time, together with the entry that the text belongs to
#@ needs:   syscall
"$PROGS/consumer" printed
