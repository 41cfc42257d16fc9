#@ what:    libdtrace: symbols, types and objects are looked up by name and by address
#@ needs:   syscall
"$PROGS/consumer_lookups"
