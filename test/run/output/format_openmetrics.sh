#@ what:    -x format=openmetrics prints each kind of aggregation with labels, unit and bucket bounds, and counters keep growing after clear()
"$DTRACE" -qx format=openmetrics -x labels=team=web -n '
#pragma D metric @wait name=io_wait unit=nanoseconds label=command,dev range=-4,8 help="time of \"reads\""
#pragma D metric @e range=8,10
BEGIN { @reads["a\"b\\c"] = count(); @bytes["x", 1] = sum(5); @ = avg(-3); @s = stddev(7); @least = min(3); @l = lquantize(12, 0, 30, 10); }
BEGIN { @ll["k"] = llquantize(15, 10, 1, 1, 10); @wait["cat", "sda"] = quantize(3); @e = hquantize(8u, 3); @e = hquantize(9u, 3); @net = sum((int)-2); @st[stack()] = count(); }
END { @never = count(); }
BEGIN { printa(@reads); printf("not here\n"); clear(@reads); @reads["a\"b\\c"] = count(); exit(0); }' | grep -v '^dtrace_lost_total'
