#@ what:    a libdtrace program can read the buckets and bounds of quantize(), lquantize(), llquantize() and hquantize()
#@ needs:   syscall
"$PROGS/consumer_formats" histograms
