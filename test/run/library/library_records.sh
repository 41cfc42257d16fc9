#@ what:    libdtrace: a probe, its records and their end are handed to functions; what has a format is printed by the library; END comes last
#@ needs:   syscall
"$PROGS/consumer" records
