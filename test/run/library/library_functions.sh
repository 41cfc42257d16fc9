#@ what:    a libdtrace program reads the values and buckets of avg(), max(), min(), quantize() and lquantize()
#@ needs:   syscall
"$PROGS/consumer" functions
