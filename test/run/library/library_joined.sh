#@ what:    a libdtrace walk over several aggregations visits each key once, with the initial value where an aggregation lacks the key
#@ needs:   syscall
"$PROGS/consumer_formats" joined
