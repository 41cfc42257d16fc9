#@ what:    ten libdtrace handles in one thread run at the same time and count exactly
#@ needs:   syscall
"$PROGS/many_handles" 2 2>/dev/null
