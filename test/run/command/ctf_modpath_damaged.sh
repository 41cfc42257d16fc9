#@ what:    if vmlinux.ctfa is damaged, types come from BTF, and using a kernel variable is an error
#@ needs:   data-symbols
head -c 1000 /dev/zero >"$TMP/vmlinux.ctfa"
$DTRACE -x modpath="$TMP" -qn 'BEGIN { printf("%d\n", sizeof(struct list_head)); exit(0); }'
$DTRACE -x modpath="$TMP" -x errtags -qn 'BEGIN { trace(`jiffies); exit(0); }' 2>&1 | head -1 | sed "s,$TMP/,,"
