#@ what:    ten libdtrace handles in one thread trace at the same time, with exact counts
#@ needs:   syscall
"$PROGS/many_handles" 2 2>/dev/null
