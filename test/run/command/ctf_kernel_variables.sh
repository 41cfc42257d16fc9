#@ what:    CTF data gives types to the kernel's variables
#@ needs:   ctf data-symbols
"$PROGS/make_ctf" "$TMP/types.ctfa"
$DTRACE -x ctfpath="$TMP/types.ctfa" -qn 'BEGIN { printf("%s %d %d\n", `linux_banner, sizeof(`jiffies), sizeof(`linux_banner)); exit(0); }'
