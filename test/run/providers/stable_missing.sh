#@ what:    a probe for which this kernel has no event or function is listed; using it is an error with the reason, and patterns skip it
#@ needs:   no-kprobe
$DTRACE -ln lockstat:::adaptive-release | grep -c adaptive-release
$DTRACE -n lockstat:::adaptive-release 2>&1 | grep -o 'this kernel has neither kprobes'
$DTRACE -qn 'lockstat:::adaptive-* { @ = count(); } tick-50ms { exit(0); }' 2>&1 |
    grep -o 'cannot attach lockstat:vmlinux::adaptive-acquire: this kernel has neither kprobes'
