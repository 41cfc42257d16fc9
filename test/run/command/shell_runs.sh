#@ what:    --shell keeps globals and aggregations between runs until the clear command resets them
$DTRACE -q --shell 2>&1 <<'END'
BEGIN { n++; @calls[n > 1 ? "later" : "first"] = count(); @all = count(); printf("run %d\n", n); exit(0); }
run
run
run
show
clear
run
END
