#@ what:    while no records arrive, the tracer makes no system calls except waits of more than 100 ms, and it still counts later hits
#@ needs:   syscall strace
mkfifo "$TMP/go"
(read -r _ <"$TMP/go" && exec "$PROGS/storm" 1000) &
target=$!
strace -o "$TMP/calls" "$DTRACE" -qn "BEGIN { printf(\"begun\n\"); }
    syscall::getppid:entry /pid == $target/ { @ = count(); } END { printa(\"%@d\n\", @); }" >"$TMP/out" 2>&1 &
tracer=$!
until grep -qs begun "$TMP/out"; do kill -0 $tracer || break; sleep 0.05; done
rested() { awk '!/^epoll_p?wait/ { n = 0; next } { sub(/.*\], [0-9]+, /, ""); n += $1 + 0 > 100; if (n == 3) { rested = 1; exit } } END { exit !rested }' "$TMP/calls"; }
until rested; do kill -0 $tracer || break; sleep 0.05; done
echo >"$TMP/go"
wait $target
kill -TERM "$(pgrep -P $tracer)"
wait $tracer
echo "status $?"
grep . "$TMP/out"
rested && echo "it rested"
