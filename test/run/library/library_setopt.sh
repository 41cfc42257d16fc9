#@ what:    libdtrace: the options that a program sets are told as they were and as they are, and who is told may end the run
#@ needs:   syscall
"$PROGS/consumer_handlers" setopt
