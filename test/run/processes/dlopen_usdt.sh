#@ what:    if the target executes another program, USDT probes fire in that program, and their is-enabled checks are true
$DTRACE -Zqn 'shop$target:::sale { printf("%s %s\n", copyinstr(arg1) == "tea" || copyinstr(arg1) == "milk" ? "sold" : "?", probename); exit(0); }' -c "env $PROGS/market 100000000"
