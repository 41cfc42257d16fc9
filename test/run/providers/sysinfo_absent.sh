#@ what:    vminfo and sysinfo list only probes that work on this kernel, and other names match nothing
#@ needs:   no-kprobe
$DTRACE -l -P sysinfo | grep -cw namei
$DTRACE -l -P sysinfo | grep -cw pswitch
$DTRACE -n sysinfo:::namei 2>&1 | grep -o 'does not match any probes'
