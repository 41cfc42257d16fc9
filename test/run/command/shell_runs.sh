#@ what:    --shell: globals and aggregations go on from run to run, and clear begins them anew
$DTRACE -q --shell 2>&1 <<'END'
BEGIN { n++; @calls[n > 1 ? "later" : "first"] = count(); @all = count(); printf("run %d\n", n); exit(0); }
run
run
run
show
clear
run
END
