#@ what:    -x format=openmetrics renames aggregations and key labels whose names are already used by built-in metrics or labels
"$DTRACE" -qx format=openmetrics -x labels=execname=web -n '
BEGIN { @lost[execname, "x"] = count(); @weight = max(3); exit(0); }' | sed '/^dtrace_lost_total/d; s/key1="[^"]*"/key1=NAME/'
