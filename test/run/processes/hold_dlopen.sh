#@ what:    a process that is named stands still when it has loaded a library or executed a program, until the probes are there: not a call is missed
for round in 1 2 3; do
    $DTRACE -Zqn 'pid$target:libcalled*:called:entry { @ = count(); } END { printa("%@d\n", @); }' -c "$PROGS/opener $PROGS/libcalled.so"
    $DTRACE -Zqn 'pid$target:a.out:in_*:entry { @[probefunc] = count(); } END { printa("%s %@d\n", @); }' -c "$PROGS/image_one 50 $PROGS/image_two 100" | sort
done
