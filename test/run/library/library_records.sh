#@ what:    libdtrace passes each probe hit, each record and the end of the hit to callbacks, END last
#@ needs:   syscall
"$PROGS/consumer" records
