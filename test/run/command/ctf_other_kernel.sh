#@ what:    with the CTF archive of another kernel, programs see its structure layouts, and built-in variables still read the running kernel
#@ needs:   ctf
"$PROGS/make_ctf" "$TMP/types.ctfa"
$DTRACE -x ctfpath="$TMP/types.ctfa" -qn 'BEGIN { printf("%d %d\n", ppid == $ppid, offsetof(struct task_struct, real_parent)); exit(0); }'
