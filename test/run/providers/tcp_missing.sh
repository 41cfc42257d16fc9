#@ what:    a tcp probe whose hooks this kernel lacks is left out of a pattern with one message
#@ needs:   no-kprobe
"$DTRACE" -qn 'tcp:::*e { @ = count(); } tick-10ms { exit(0); }' 2>&1 | grep -o 'cannot attach.*'
