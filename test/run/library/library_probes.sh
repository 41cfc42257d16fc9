#@ what:    libdtrace: probes of a description, and none
#@ needs:   syscall
"$PROGS/consumer" probes
