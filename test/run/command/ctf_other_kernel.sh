#@ what:    programs use the types of another kernel's CTF archive, and built-in variables still work
#@ needs:   ctf
"$PROGS/make_ctf" "$TMP/types.ctfa"
$DTRACE -x ctfpath="$TMP/types.ctfa" -qn 'BEGIN { printf("%d %d\n", ppid == $ppid, offsetof(struct task_struct, real_parent)); exit(0); }'
