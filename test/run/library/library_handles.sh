#@ what:    ten libdtrace handles each count all of the same calls
#@ needs:   syscall
"$PROGS/consumer" handles 100000
