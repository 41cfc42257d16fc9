#@ what:    libdtrace: ten handles count the same calls, each of them all
#@ needs:   syscall
"$PROGS/consumer" handles 100000
