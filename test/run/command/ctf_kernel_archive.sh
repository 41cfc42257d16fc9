#@ what:    -x ctfpath: an archive's types come first, BTF has the rest
#@ needs:   ctf
"$PROGS/make_ctf" "$TMP/types.ctfa"
$DTRACE -x ctfpath="$TMP/types.ctfa" -qn 'BEGIN {
	printf("%d %d\n", sizeof(struct invented), offsetof(struct invented, word));
	printf("%d %d\n", sizeof(struct vmlinux`invented), sizeof(struct list_head));
	exit(0); }'
