#@ what:    if the traced process is killed, the trace ends normally and prints all output
#@ needs:   syscall
$PROGS/sleeper &
victim=$!
disown $victim # prevents a message of the shell when the process is killed
$DTRACE -qn 'BEGIN { printf("ready\n"); } END { printf("end\n"); }' -p $victim >"$TMP/out" 2>"$TMP/err" &
tracer=$!
until grep -qs ready "$TMP/out"; do sleep 0.1; done
kill -KILL $victim
wait $tracer
echo "status $?"
cat "$TMP/out" "$TMP/err"
