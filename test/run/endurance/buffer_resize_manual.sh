#@ what:    bufresize=manual: a buffer that cannot be had ends the run, naming the option
#@ needs:   host
"$DTRACE" -x bufresize=manual -b 64g -qn 'BEGIN { trace("on"); exit(0); }' 2>&1
echo "status $?"
