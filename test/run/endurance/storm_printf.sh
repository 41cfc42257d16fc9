#@ what:    with a large buffer, two million printf() records arrive without loss
#@ needs:   syscall host smp alone
#@ timeout: 180
$DTRACE -b 128m -qn 'syscall::getppid:entry /pid == $target/ { printf("%d\n", tid); }' \
    -c "$PROGS/storm 2000000 2" -o "$TMP/out" 2>"$TMP/err"
echo "status $?"
echo "records $(wc -l <"$TMP/out")"
cat "$TMP/err"
