#@ what:    one dropped aggregation key is reported with its tag, and the clause continues after the drop
taskset -c 0 $DTRACE -x droptags -x aggsize=32 -qn 'BEGIN { @[1] = count(); @[2] = count(); @[3] = count(); printf("on\n"); exit(0); }' 2>&1
