#@ what:    global variables and aggregations keep their values from one run of --shell to the next until the shell command clear resets them
$DTRACE -q --shell 2>&1 <<'END'
BEGIN { n++; @calls[n > 1 ? "later" : "first"] = count(); @all = count(); printf("run %d\n", n); exit(0); }
run
run
run
show
clear
run
END
