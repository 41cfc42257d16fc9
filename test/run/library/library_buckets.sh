#@ what:    libdtrace: the buckets of each function that draws a histogram, with their bounds
#@ needs:   syscall
"$PROGS/consumer_formats" histograms
