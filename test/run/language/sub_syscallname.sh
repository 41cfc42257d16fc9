#@ what:    syscallname() returns the name that the headers of the C library have for a number, and "<unknown>" for other numbers
#@ needs:   cc
numbers=$(printf '#include <sys/syscall.h>\nread=SYS_read\nclose=SYS_close\nopenat=SYS_openat\nfutex=SYS_futex\nexecve=SYS_execve\nclone3=SYS_clone3\n' | cc -E -P - | tr -d ' ')
for pair in $numbers; do
	printf 'printf("%s %%s\\n", syscallname(%s)); ' "${pair%=*}" "${pair#*=}"
done >"$TMP/calls"
$DTRACE -qn "BEGIN { $(cat "$TMP/calls") printf(\"%s %s\\n\", syscallname(-1), syscallname(511)); exit(0); }"
