#@ what:    vminfo and sysinfo list only what this kernel has a hook for; another name is no probe
#@ needs:   no-kprobe
$DTRACE -l -P sysinfo | grep -cw namei
$DTRACE -l -P sysinfo | grep -cw pswitch
$DTRACE -n sysinfo:::namei 2>&1 | grep -o 'does not match any probes'
