#@ what:    the libdtrace API hands out printed aggregations key by key and value by value, with the entry of each text
#@ needs:   syscall
"$PROGS/consumer" printed
