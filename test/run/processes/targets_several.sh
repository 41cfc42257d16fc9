#@ what:    with several -p and -c, $target is the first process, and the trace ends when all of them have exited
"$PROGS/sleeper" &
one=$!
"$PROGS/sleeper" &
two=$!
for pid in $one $two; do
    until grep -qs sleep /proc/$pid/wchan; do sleep 0.02; done
done
cat >"$TMP/several.d" <<EOF
BEGIN { printf("first: %d\n", \$target == $two); }
pid$one:libc:*nanosleep:return { kills++; }
pid\$target:libc:*nanosleep:entry { kills++; }
tick-100ms /!told && ++ticks > 2/ { told = 1; printf("going on\n"); }
END { printf("ended\n"); }
EOF
$DTRACE -qs "$TMP/several.d" -p $two -p $one -c "$PROGS/syscalls getppid 3" >"$TMP/out" &
tracer=$!
exec 3>&2 2>/dev/null # hides the messages of bash about killed jobs
until grep -qs going "$TMP/out"; do sleep 0.02; done
kill $two
sleep 0.3
kill -0 $tracer && echo "one is left"
kill $one
wait $tracer
echo "status $?"
exec 2>&3
cat "$TMP/out"
# A description without provider matches probes of all processes of the session.
$DTRACE -lm 'market' -c "$PROGS/market" -c "$PROGS/market" | awk 'NR > 1 { print $2 }' | sort -u | wc -l
