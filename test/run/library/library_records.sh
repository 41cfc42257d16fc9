#@ what:    the libdtrace API passes probes, records and their ends to handlers, with END last
#@ needs:   syscall
"$PROGS/consumer" records
