#@ what:    a two-clause program with per-CPU counters and timing loads on every kernel
#@ needs:   smp
# The clauses' counters of a CPU are as far from those of the next as the probe's, and both have the CPU from one place.
$DTRACE -x hits -x cost -qn 'BEGIN { @n["x"] = count(); } BEGIN { @n["y"] = count(); }' -c true 2>"$TMP/tables" | awk '{ $1 = $1 } NF'
awk '/ dtrace:::BEGIN$/ && $1 ~ /^[0-9]+$/ { print "fired", $1; exit }' "$TMP/tables"
