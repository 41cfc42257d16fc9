#@ what:    libdtrace: ten handles at work at once, each in a thread of its own, each exact
#@ needs:   syscall
"$PROGS/many_handles" 2 threads 2>/dev/null
