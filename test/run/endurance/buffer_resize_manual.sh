#@ what:    bufresize=manual ends the run if a buffer cannot be allocated, naming the option
#@ needs:   host
"$DTRACE" -x bufresize=manual -b 64g -qn 'BEGIN { trace("on"); exit(0); }' 2>&1
echo "status $?"
