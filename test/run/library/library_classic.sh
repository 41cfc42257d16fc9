#@ what:    libdtrace: consumers in the order of calls of node-libdtrace and ruby-dtrace; dtrace_work() takes snapshots at aggrate, dtrace_stop() the last one; what a walk removes begins anew
#@ needs:   syscall
for way in node ruby rate deltas; do
    echo "-- $way"
    "$PROGS/consumer_classic" $way
done
