#@ what:    with -x defaultargs, a missing argument in a probe description is the text 0
#@ needs:   syscall
"$DTRACE" -x defaultargs -x errtags -x diag=brief -e -n 'dtrace:::$1' 2>&1
"$DTRACE" -x defaultargs -q -n 'tick-1$1ms { printf("%s\n", probename); exit(0); }'
