#@ what:    the kernel's own CTF archive is found in its modules directory
#@ needs:   ctf
mkdir -p "$TMP/modules/kernel"
"$PROGS/make_ctf" "$TMP/modules/kernel/vmlinux.ctfa"
$DTRACE -x modpath="$TMP/modules" -qn 'BEGIN { printf("%d\n", sizeof(struct invented)); exit(0); }'
mv "$TMP/modules/kernel/vmlinux.ctfa" "$TMP/modules"
$DTRACE -x modpath="$TMP/modules" -qn 'BEGIN { printf("%d\n", sizeof(struct invented)); exit(0); }'
