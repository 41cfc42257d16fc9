#@ what:    an idle tracer wakes once a second, and a record or exit() wakes it immediately
#@ needs:   syscall strace
mkfifo "$TMP/go"
(read -r _ <"$TMP/go" && exec "$PROGS/storm" 1) &
target=$!
strace -e trace="?epoll_wait,epoll_pwait" -o "$TMP/waits" "$DTRACE" -qn "BEGIN { printf(\"begun\n\"); }
    syscall::getppid:entry /pid == $target/ { printf(\"called\n\"); exit(3); }" >"$TMP/out" 2>&1 &
tracer=$!
until grep -qs begun "$TMP/out"; do kill -0 $tracer || break; sleep 0.05; done
sleep 3
echo >"$TMP/go"
wait $tracer
echo "status $?"
cat "$TMP/out"
# An active tracer waits at most 100 ms. So a longer wait that an event ended shows that the event woke an idle tracer.
awk '/^epoll_p?wait/ && / = [1-9]/ { sub(/.*\], [0-9]+, /, ""); if ($1 + 0 > 100) woken++ } END { print "woken", woken + 0 }' "$TMP/waits"
