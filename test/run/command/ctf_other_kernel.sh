#@ what:    an archive of another kernel's types is what programs read by, built-in variables are right all the same
#@ needs:   ctf
"$PROGS/make_ctf" "$TMP/types.ctfa"
$DTRACE -x ctfpath="$TMP/types.ctfa" -qn 'BEGIN { printf("%d %d\n", ppid == $ppid, offsetof(struct task_struct, real_parent)); exit(0); }'
