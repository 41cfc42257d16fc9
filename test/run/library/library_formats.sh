#@ what:    libdtrace: formats of the program itself, for records and for aggregations
#@ needs:   syscall
"$PROGS/consumer_formats"
