#@ what:    types come from vmlinux.ctfa in the directory of -x modpath or in its subdirectory kernel
#@ needs:   ctf
mkdir -p "$TMP/modules/kernel"
"$PROGS/make_ctf" "$TMP/modules/kernel/vmlinux.ctfa"
$DTRACE -x modpath="$TMP/modules" -qn 'BEGIN { printf("%d\n", sizeof(struct invented)); exit(0); }'
mv "$TMP/modules/kernel/vmlinux.ctfa" "$TMP/modules"
$DTRACE -x modpath="$TMP/modules" -qn 'BEGIN { printf("%d\n", sizeof(struct invented)); exit(0); }'
