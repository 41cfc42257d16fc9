#@ what:    libdtrace passes output text to a callback of the program if the program sets no output stream
#@ needs:   syscall
"$PROGS/consumer" buffered
