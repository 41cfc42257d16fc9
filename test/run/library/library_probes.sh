#@ what:    libdtrace lists the probes that match a description, and returns an error if none matches
#@ needs:   syscall
"$PROGS/consumer" probes
