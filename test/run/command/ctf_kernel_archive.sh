#@ what:    -x ctfpath takes types from a CTF archive first and from BTF otherwise
#@ needs:   ctf
"$PROGS/make_ctf" "$TMP/types.ctfa"
$DTRACE -x ctfpath="$TMP/types.ctfa" -qn 'BEGIN {
	printf("%d %d\n", sizeof(struct invented), offsetof(struct invented, word));
	printf("%d %d\n", sizeof(struct vmlinux`invented), sizeof(struct list_head));
	exit(0); }'
