#@ what:    after idle time, records are printed as soon as they occur, and -F prints them in order
#@ needs:   syscall
$DTRACE -F -n "BEGIN { trace(\"begun\"); } syscall::getppid: /ppid == $$/ { trace(++n); } syscall::getppid:return /n == 6/ { exit(0); }" 2>"$TMP/err" | cat >"$TMP/out" &
tracer=$!
until grep -qs begun "$TMP/out"; do kill -0 $tracer || break; sleep 0.05; done
for round in 1 2 3; do
    sleep 1.5
    "$PROGS/storm" 1
    until grep -qs "<= getppid *$((2 * round))" "$TMP/out"; do kill -0 $tracer || break; sleep 0.05; done
done
wait $tracer
cat "$TMP/out"
