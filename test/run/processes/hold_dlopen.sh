#@ what:    after the target loads a library or executes a program, it waits until its probes are attached, so that no call is missed
for round in 1 2 3; do
    $DTRACE -Zqn 'pid$target:libcalled*:called:entry { @ = count(); } END { printa("%@d\n", @); }' -c "$PROGS/opener $PROGS/libcalled.so"
    $DTRACE -Zqn 'pid$target:a.out:in_*:entry { @[probefunc] = count(); } END { printa("%s %@d\n", @); }' -c "$PROGS/image_one 50 $PROGS/image_two 100" | sort
done
