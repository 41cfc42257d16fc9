#@ what:    with -x pin, the trace continues after its tracer was killed: the next tracer prints all counts, and BEGIN does not run again
#@ needs:   syscall
. ./pinned.bash
trace() { exec $DTRACE -x pin=kill$$ -x pintimeout=10m -o "$TMP/out" -qn 'BEGIN { n = 0; printf("begun\n"); } syscall::getsid:entry /execname == "'pin$$'"/ { n++; @[pid] = count(); @all = sum(1); } END { printf("n %d\n", n); }'; }
trace 2>"$TMP/err" & tracer=$!
until_says "$TMP/out" begun
"$TMP/pin$$" 1000000 1 0 getsid & storm=$!
killed $tracer
wait $storm
"$TMP/pin$$" 5000 1 0 getsid
trace 2>"$TMP/err" & tracer=$!
until_says "$TMP/err" 'continues'
"$TMP/pin$$" 700 1 0 getsid
kill -TERM $tracer
wait $tracer
echo "status $?"
grep -c begun "$TMP/out"
grep '^n ' "$TMP/out"
awk 'NF == 2 && $1 != "n" { sum += $2; keys++ } NF == 1 && $1 + 0 { print "all:", $1 } END { print "by pid:", keys, sum }' "$TMP/out"
sed "s/it started [0-9]* s/it started N s/; s/kill$$/NAME/" "$TMP/err" | grep pin
ls -d /sys/fs/bpf/dtrace* 2>/dev/null
exit 0
