#@ what:    tcp: a probe that has only hooks that this kernel does not have is left out of a pattern, and told once
#@ needs:   no-kprobe
"$DTRACE" -qn 'tcp:::*e { @ = count(); } tick-10ms { exit(0); }' 2>&1 | grep -o 'cannot attach.*'
