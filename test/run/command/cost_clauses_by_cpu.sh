#@ what:    with -x hits and -x cost together, a program of two clauses starts, and both options count its hits correctly
#@ needs:   smp
# The compiled program reads the CPU number once, and uses it for the counters of both clauses and of the probe.
$DTRACE -x hits -x cost -qn 'BEGIN { @n["x"] = count(); } BEGIN { @n["y"] = count(); }' -c true 2>"$TMP/tables" | awk '{ $1 = $1 } NF'
awk '/ dtrace:::BEGIN$/ && $1 ~ /^[0-9]+$/ { print "fired", $1; exit }' "$TMP/tables"
