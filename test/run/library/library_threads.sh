#@ what:    ten libdtrace handles in separate threads trace at the same time, with exact counts
#@ needs:   syscall
"$PROGS/many_handles" 2 threads 2>/dev/null
