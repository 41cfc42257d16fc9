#@ what:    the libdtrace API reports old and new values of setopt() to a handler, which can end the run
#@ needs:   syscall
"$PROGS/consumer_handlers" setopt
