#@ what:    with -x ctfpath, types come from the CTF archive, or from BTF if the archive does not have them
#@ needs:   ctf
"$PROGS/make_ctf" "$TMP/types.ctfa"
$DTRACE -x ctfpath="$TMP/types.ctfa" -qn 'BEGIN {
	printf("%d %d\n", sizeof(struct invented), offsetof(struct invented, word));
	printf("%d %d\n", sizeof(struct vmlinux`invented), sizeof(struct list_head));
	exit(0); }'
