#@ what:    the libdtrace API works with the call orders of node-libdtrace and ruby-dtrace: snapshots come at aggrate and at dtrace_stop(), and keys removed by a walk count from zero
#@ needs:   syscall
for way in node ruby rate deltas; do
    echo "-- $way"
    "$PROGS/consumer_classic" $way
done
