#@ what:    ten libdtrace handles that trace the same calls each count all of them
#@ needs:   syscall
"$PROGS/consumer" handles 100000
