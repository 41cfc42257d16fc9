#@ what:    with -x pin, each call is counted once although tracers are killed repeatedly (variable KILLS sets the number of kills)
#@ needs:   syscall
. ./pinned.bash
trace() { exec $DTRACE -x pin=kills$$ -x pintimeout=10m -o "$TMP/out" -qn 'BEGIN { printf("begun\n"); } syscall::getsid:entry /execname == "'pin$$'"/ { @by[pid] = count(); @all = sum(1); n++; } syscall::getsid:return /execname == "'pin$$'"/ { @back = count(); } END { printa("back %@d\n", @back); printa("all %@d\n", @all); }'; }
trace 2>"$TMP/err" & tracer=$!
until_says "$TMP/out" begun
calls=0 kills=${KILLS:-12}
for ((i = 0; i < kills; i++)); do
    n=$((RANDOM * 4)) calls=$((calls + n))
    "$TMP/pin$$" $n 2 0 getsid & storm=$!
    sleep 0.0$((RANDOM % 100 + 100)) # 10 to 20 ms: some tracers have adopted the trace by then, others have not
    killed $tracer
    rm -f "$TMP/err" # removes the messages of the tracer before
    trace 2>"$TMP/err" & tracer=$!
    wait $storm
done
until_says "$TMP/err" 'continues'
kill -TERM $tracer
wait $tracer
echo "status $?"
grep -c begun "$TMP/out"
awk -v calls=$calls '$1 == "back" || $1 == "all" { print $1, $2 == calls ? "right" : $2 " of " calls } NF == 2 && $1 + 0 { sum += $2 } END { print "by", sum == calls ? "right" : sum " of " calls }' "$TMP/out"
ls -d /sys/fs/bpf/dtrace* 2>/dev/null
exit 0
