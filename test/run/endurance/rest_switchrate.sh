#@ what:    an idle tracer waits up to a second even with option switchrate, and a record wakes it
#@ needs:   syscall strace
mkfifo "$TMP/go"
(read -r _ <"$TMP/go" && exec "$PROGS/storm" 1) &
target=$!
strace -e trace="?epoll_wait,epoll_pwait" -o "$TMP/waits" "$DTRACE" -x switchrate=50hz -qn "BEGIN { printf(\"begun\n\"); }
    syscall::getppid:entry /pid == $target/ { printf(\"called\n\"); exit(3); }" >"$TMP/out" 2>&1 &
tracer=$!
until grep -qs begun "$TMP/out"; do kill -0 $tracer || break; sleep 0.05; done
slept() { awk '/^epoll_p?wait/ { sub(/.*\], [0-9]+, /, ""); if ($1 + 0 > 100) { slept = 1; exit } } END { exit !slept }' "$TMP/waits"; }
until slept; do kill -0 $tracer || break; sleep 0.05; done
echo >"$TMP/go"
wait $tracer
echo "status $?"
cat "$TMP/out"
slept && echo "it slept"
