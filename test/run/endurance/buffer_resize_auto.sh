#@ what:    bufresize=auto makes the buffers smaller if the requested size is too large for the machine, and prints a message
#@ needs:   host
env -u DTRACE_REPRODUCIBLE "$DTRACE" -x bufresize=auto -b 64g -qn 'BEGIN { trace("on"); exit(0); }' 2>&1 | sed 's/lowered to .*/lowered/'
