#@ what:    probes of its own that a program brings along fire when the target executes it; the program's question whether they are enabled is answered
$DTRACE -Zqn 'shop$target:::sale { printf("%s %s\n", copyinstr(arg1) == "tea" || copyinstr(arg1) == "milk" ? "sold" : "?", probename); exit(0); }' -c "env $PROGS/market 100000000"
