#@ what:    the libdtrace API passes text to the caller's function if no stream is set
#@ needs:   syscall
"$PROGS/consumer" buffered
