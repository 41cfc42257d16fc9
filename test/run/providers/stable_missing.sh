#@ what:    a stable probe whose hook this kernel does not have is listed, says why when it is enabled, and is left out of a pattern
#@ needs:   no-kprobe
$DTRACE -ln lockstat:::adaptive-release | grep -c adaptive-release
$DTRACE -n lockstat:::adaptive-release 2>&1 | grep -o 'this kernel has no kprobes'
$DTRACE -qn 'lockstat:::adaptive-* { @ = count(); } tick-50ms { exit(0); }' 2>&1 |
    grep -o 'cannot attach lockstat:vmlinux::adaptive-acquire: this kernel has no kprobes'
