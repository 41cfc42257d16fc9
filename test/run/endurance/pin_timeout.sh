#@ what:    without a tracer, a pinned trace pauses after the time of -x pintimeout; the next tracer resumes the trace and reports the pause
#@ needs:   syscall
. ./pinned.bash
trace() { exec $DTRACE -x pin=lease$$ -x pintimeout=1s -o "$TMP/out" -qn 'BEGIN { printf("begun\n"); } syscall::getsid:entry /execname == "'pin$$'"/ { @ = count(); }'; }
trace 2>"$TMP/err" & tracer=$!
until_says "$TMP/out" begun
"$TMP/pin$$" 100 1 0 getsid
killed $tracer
# Waits until the timeout has passed and the timer that checks the timeout once a second has fired.
sleep 4
"$TMP/pin$$" 30 1 0 getsid
trace 2>"$TMP/err" & tracer=$!
until_says "$TMP/err" 'tracing was paused'
"$TMP/pin$$" 7 1 0 getsid
kill -TERM $tracer
wait $tracer
tail -1 "$TMP/out" | tr -d ' '
sed -n "s/paused [0-9]* s/paused N s/; /option pintimeout/p" "$TMP/err"
