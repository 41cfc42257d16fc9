#@ what:    the kernel accepts 1,000 clauses that print the path of an open file
#@ needs:   syscall
for i in $(seq 1000); do
    echo 'syscall::getppid:entry { trace(fds[arg0].fi_pathname); }'
done >"$TMP/many.d"
$DTRACE -q -s "$TMP/many.d" -n 'BEGIN { printf("loaded"); exit(0); }'
