#@ what:    a program or option beyond a limit of the kernel or the machine gives a one-line error with a remedy
for program in 'int a[268435456]; BEGIN { a[1] = 1; exit(0); }' 'self int a[100000]; BEGIN { self->a[1] = 1; exit(0); }'; do
    $DTRACE -qn "$program" 2>&1 | head -n 1 | sed 's/.*}: //'
done
$DTRACE -x aggsize=64g -qn 'BEGIN { @[pid] = count(); exit(0); }' 2>&1
$DTRACE -V >/dev/full 2>"$TMP/err"
echo "$? $(cat "$TMP/err")"
"$PROGS/leader_gone" &
until thread=$(ls /proc/$!/task | tail -n 1); [ "$thread" != $! ]; do sleep 0.1; done
$DTRACE -p "$thread" -qn 'BEGIN { exit(0); }' 2>&1 | sed "s/$thread/THREAD/; s/$!/PROCESS/g"
kill $!
