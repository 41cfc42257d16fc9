#@ what:    the libdtrace API lists the probes of a description, also of one without matches
#@ needs:   syscall
"$PROGS/consumer" probes
