#@ what:    without kprobes, fbt:::NAME is an error, patterns match only probes that work, and -lv says that fbt probes cannot be traced
#@ needs:   no-kprobe
exec 2>&1
$DTRACE -lvn 'fbt::vfs_read:entry, tcp::: ' | grep 'cannot be traced'
$DTRACE -n 'fbt::vfs_read:entry, BEGIN { exit(0); }'
$DTRACE -qn 'fbt::vfs_r*:entry, BEGIN { printf("%s\n", probename); exit(0); }' | sed 's/and [0-9]* other/and N other/; s/fbt:vmlinux:vfs_[a-z_]*/fbt:vmlinux:NAME/'
$DTRACE -qn 'tcp:::, tick-10ms { @[probeprov] = count(); } tick-50ms { exit(0); }' | grep -v '^ \|^$'
exit 0
