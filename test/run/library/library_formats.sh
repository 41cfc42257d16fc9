#@ what:    the libdtrace API prints records and aggregations with formats that the program compiles
#@ needs:   syscall
"$PROGS/consumer_formats"
