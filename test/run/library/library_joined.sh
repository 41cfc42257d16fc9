#@ what:    libdtrace: a walk over several aggregations has each key once, and where one lacks it what its function begins with
#@ needs:   syscall
"$PROGS/consumer_formats" joined
