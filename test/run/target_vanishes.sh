#@ what:    the traced process is killed: a normal end with everything printed
#@ needs:   syscall
$PROGS/sleeper 60 &
victim=$!
disown $victim # the shell shall not report its death
$DTRACE -qn 'BEGIN { printf("ready\n"); } END { printf("end\n"); }' -p $victim >"$TMP/out" 2>"$TMP/err" &
tracer=$!
for i in $(seq 300); do grep -qs ready "$TMP/out" && break; sleep 0.1; done
kill -KILL $victim
wait $tracer
echo "status $?"
cat "$TMP/out" "$TMP/err"
