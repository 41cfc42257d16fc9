#@ what:    libdtrace passes the old and new value of each setopt() to a callback, which can end the run
#@ needs:   syscall
"$PROGS/consumer_handlers" setopt
