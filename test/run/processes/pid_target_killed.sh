#@ what:    the trace ends with all output if the target is killed, executes another program, or its file is removed
"$PROGS/sleeper" &
target=$!
until grep -qs sleep /proc/$target/wchan; do sleep 0.02; done # waits until the program sleeps, after its libraries were loaded
$DTRACE -qn 'BEGIN { printf("on\n"); } pid$target:libc:*nanosleep:entry { } END { printf("ended\n"); }' -p $target >"$TMP/out" &
tracer=$!
exec 3>&2 2>/dev/null # hides the messages of bash about killed jobs
until grep -qs on "$TMP/out"; do sleep 0.1; done
kill -KILL $target
wait $target
exec 2>&3
wait $tracer
echo "killed: status $?"
cat "$TMP/out"
$DTRACE -qn 'pid$target:libc:getppid:entry { @ = count(); } END { printa("executed: %@d\n", @); }' -c "env $PROGS/calls 3"
cp "$PROGS/sleeper" "$TMP/gone"
"$TMP/gone" &
target=$!
until [[ $(readlink "/proc/$target/exe") == */gone ]]; do sleep 0.02; done
rm "$TMP/gone"
$DTRACE -qn 'pid$target:a.out:main:[0-9]* { exit(0); } END { printf("removed: fired\n"); }' -p $target
exec 2>/dev/null
kill $target
