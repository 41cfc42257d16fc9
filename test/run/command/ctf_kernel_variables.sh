#@ what:    kernel variables have the types given by the CTF archive of -x ctfpath
#@ needs:   ctf data-symbols
"$PROGS/make_ctf" "$TMP/types.ctfa"
$DTRACE -x ctfpath="$TMP/types.ctfa" -qn 'BEGIN { printf("%s %d %d\n", `linux_banner, sizeof(`jiffies), sizeof(`linux_banner)); exit(0); }'
