#@ what:    libdtrace supports the order in which node-libdtrace and ruby-dtrace call its functions
#@ needs:   syscall
for way in node ruby rate deltas; do
    echo "-- $way"
    "$PROGS/consumer_classic" $way
done
