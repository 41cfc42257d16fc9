#@ what:    1,000 clauses that follow pointers to a file's name: where the verifier would follow too much with loads, they are read by helpers alone
#@ needs:   syscall
for i in $(seq 1000); do
    echo 'syscall::getppid:entry { trace(fds[arg0].fi_pathname); }'
done >"$TMP/many.d"
$DTRACE -q -s "$TMP/many.d" -n 'BEGIN { printf("loaded"); exit(0); }'
