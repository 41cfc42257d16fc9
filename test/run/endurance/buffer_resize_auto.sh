#@ what:    bufresize=auto: a buffer that cannot be had becomes smaller, and that is told
#@ needs:   host
env -u DTRACE_REPRODUCIBLE "$DTRACE" -x bufresize=auto -b 64g -qn 'BEGIN { trace("on"); exit(0); }' 2>&1 | sed 's/lowered to .*/lowered/'
