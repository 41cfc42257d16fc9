#@ what:    bufresize=manual refuses to start if a buffer cannot be allocated, and the message names option bufsize
#@ needs:   host
"$DTRACE" -x bufresize=manual -b 64g -qn 'BEGIN { trace("on"); exit(0); }' 2>&1
echo "status $?"
