#@ what:    the libdtrace API looks up symbols, types and objects by name and by address
#@ needs:   syscall
"$PROGS/consumer_lookups"
