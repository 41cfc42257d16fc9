#@ what:    a libdtrace program can compile formats for printf() and printa() and print records and aggregations with them
#@ needs:   syscall
"$PROGS/consumer_formats"
