#@ what:    ten libdtrace handles in separate threads run at the same time and count exactly
#@ needs:   syscall
"$PROGS/many_handles" 2 threads 2>/dev/null
