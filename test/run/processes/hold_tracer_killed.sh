#@ what:    a process that is stopped when its tracer is killed continues, also when it loads more libraries
cat >"$TMP/in" <<EOF
while [ ! -e $TMP/end ]; do $PROGS/opener $PROGS/libcalled.so; echo >>$TMP/rounds; done
EOF
rounds() { wc -l <"$TMP/rounds"; }
: >"$TMP/rounds"
sh "$TMP/in" &
target=$!
$DTRACE -Z -x followchildren=exec -qn 'pid$target:libcalled*:called:entry { printf("called\n"); }' -p $target >"$TMP/out" &
tracer=$!
until grep -q called "$TMP/out"; do sleep 0.02; done
grep "^TracerPid:.[1-9]" "/proc/$target/status" >/dev/null && echo "it is kept"
exec 3>&2 2>/dev/null # hides the messages of bash about killed jobs
kill -KILL $tracer
wait $tracer
exec 2>&3
before=$(rounds)
until [ "$(rounds)" -gt $((before + 3)) ]; do sleep 0.02; done
grep "^TracerPid:.0\$" "/proc/$target/status" >/dev/null && echo "it runs on"
touch "$TMP/end"
wait $target && echo "it ended well"
