#@ what:    the kernel accepts 120 clauses that build paths and strings in loops
#@ needs:   syscall
for i in $(seq 120); do
    echo "syscall::openat:entry /pid == 0 && arg0 == $i/ { printf(\"%s %s %s %s %s\", curpsinfo->pr_psargs, cwd, cleanpath(copyinstr(arg1)),"
    echo "    inet_ntoa6((in6_addr_t *)curthread), fds[arg0].fi_pathname); }"
done >"$TMP/many.d"
$DTRACE -q -s "$TMP/many.d" -n 'BEGIN { printf("loaded"); exit(0); }'
