#@ what:    the libdtrace API returns the buckets and bounds of every histogram function
#@ needs:   syscall
"$PROGS/consumer_formats" histograms
