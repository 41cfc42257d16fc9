#@ what:    libdtrace: ten handles at work at once in one thread, each exact (the argument is a time: 60 s by hand)
#@ needs:   syscall
"$PROGS/many_handles" 2 2>/dev/null
