#@ what:    the libdtrace API reports errors by number and text, and faults through their handler
#@ needs:   syscall
"$PROGS/consumer" errors
