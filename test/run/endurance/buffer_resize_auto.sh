#@ what:    bufresize=auto shrinks a buffer that cannot be allocated, and reports the new size
#@ needs:   host
env -u DTRACE_REPRODUCIBLE "$DTRACE" -x bufresize=auto -b 64g -qn 'BEGIN { trace("on"); exit(0); }' 2>&1 | sed 's/lowered to .*/lowered/'
