#@ what:    a libdtrace walk over several aggregations visits each key once, and gives the initial value for an aggregation without the key
#@ needs:   syscall
"$PROGS/consumer_formats" joined
