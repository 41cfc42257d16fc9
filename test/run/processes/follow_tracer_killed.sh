#@ what:    if the tracer is killed while probes are attached, the target continues with its original code
"$PROGS/opener" "$PROGS/libcalled.so" again &
target=$!
until grep -q 'r-x.*libcalled' "/proc/$target/maps"; do sleep 0.02; done
cat >"$TMP/code.d" <<'EOF'
syscall::getppid:entry /pid == $target/ { printf("%x", *(uint64_t *)copyin((uintptr_t)&``once_again, 8)); exit(0); }
EOF
before=$($DTRACE -qs "$TMP/code.d" -p $target)
cat >"$TMP/on.d" <<'EOF'
pid$target:a.out:once_again:,pid$target:libcalled:called:entry,pid$target:libcalled:called:return { @ = count(); }
tick-20ms { printa(@); }
EOF
: >"$TMP/out"
$DTRACE -x followchildren=fork -qs "$TMP/on.d" -p $target >"$TMP/out" &
tracer=$!
until [ "$(wc -l <"$TMP/out")" -gt 3 ]; do sleep 0.02; done
during=$($DTRACE -qs "$TMP/code.d" -p $target)
exec 3>&2 2>/dev/null # hides the messages of bash about killed jobs
kill -KILL $tracer
wait $tracer
exec 2>&3
until after=$($DTRACE -qs "$TMP/code.d" -p $target); [ "$before" = "$after" ]; do sleep 0.1; done
[ -n "$before" ] && [ "$before" != "$during" ] && echo "code was changed"
[ "$before" = "$after" ] && echo "code is as it was"
grep -q '^State:.[SR]' /proc/$target/status && grep -q '^TracerPid:.0' /proc/$target/status && echo "it runs"
exec 2>/dev/null
kill $target
