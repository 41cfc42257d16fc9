#@ what:    libdtrace finds symbols, types and objects by name, and symbols by address
#@ needs:   syscall
"$PROGS/consumer_lookups"
