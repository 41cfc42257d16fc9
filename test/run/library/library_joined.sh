#@ what:    a libdtrace walk over several aggregations visits each key once and fills missing values with initial ones
#@ needs:   syscall
"$PROGS/consumer_formats" joined
