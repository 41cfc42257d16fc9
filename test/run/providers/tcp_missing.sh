#@ what:    a pattern skips a tcp probe that does not work on this kernel, with one message
#@ needs:   no-kprobe
"$DTRACE" -qn 'tcp:::*e { @ = count(); } tick-10ms { exit(0); }' 2>&1 | grep -o 'cannot attach.*'
