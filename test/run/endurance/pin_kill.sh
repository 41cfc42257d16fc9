#@ what:    -x pin: a tracer that is killed loses no count: the next one has all of them, those of the time between too, and BEGIN runs once
#@ needs:   syscall
[ -n "$MOUNTED" ] || MOUNTED=1 exec unshare -m sh "$0"
mountpoint -q /sys/fs/bpf || mount -t bpf bpf /sys/fs/bpf
until_says() { until grep -q "$2" "$1" 2>/dev/null; do sleep 0.05; done; }
cp "$PROGS/storm" "$TMP/pin$$"
trace() { exec $DTRACE -x pin=kill$$ -o "$TMP/out" -qn 'BEGIN { n = 0; printf("begun\n"); } syscall::getsid:entry /execname == "'pin$$'"/ { n++; @[pid] = count(); @all = sum(1); } END { printf("n %d\n", n); }'; }
trace 2>"$TMP/err" & tracer=$!
until_says "$TMP/out" begun
"$TMP/pin$$" 1000000 1 0 getsid & storm=$!
kill -9 $tracer
wait $tracer 2>/dev/null
wait $storm
"$TMP/pin$$" 5000 1 0 getsid
trace 2>"$TMP/err" & tracer=$!
until_says "$TMP/err" 'goes on'
"$TMP/pin$$" 700 1 0 getsid
kill -TERM $tracer
wait $tracer
echo "status $?"
grep -c begun "$TMP/out"
grep '^n ' "$TMP/out"
awk 'NF == 2 && $1 != "n" { sum += $2; keys++ } NF == 1 && $1 + 0 { print "all:", $1 } END { print "by pid:", keys, sum }' "$TMP/out"
sed "s/it began [0-9]* s/it began N s/; s/kill$$/NAME/" "$TMP/err" | grep pin
ls -d /sys/fs/bpf/dtrace* 2>/dev/null
exit 0
