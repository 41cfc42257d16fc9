#@ what:    -x format=openmetrics: an aggregation is not called as what is told beside all, nor a key as a label that all samples have
"$DTRACE" -qx format=openmetrics -x labels=execname=web -n '
BEGIN { @lost[execname, "x"] = count(); @weight = max(3); exit(0); }' | sed '/^dtrace_lost_total/d; s/key1="[^"]*"/key1=NAME/'
