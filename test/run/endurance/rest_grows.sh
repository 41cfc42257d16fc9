#@ what:    when 150,000 new keys arrive after three seconds without probe hits, each key is counted or reported as a drop
#@ needs:   syscall strace
#@ timeout: 60
count=150000 # more keys than the 65,536 of the first map
mkfifo "$TMP/go"
(read -r _ <"$TMP/go" && exec "$PROGS/storm" $count) &
target=$!
strace -e trace="?epoll_wait,epoll_pwait" -o "$TMP/waits" "$DTRACE" -qn "BEGIN { printf(\"begun\n\"); }
    syscall::getppid:entry /pid == $target/ { @[self->i++] = count(); } END { printa(\"key %d %@d\n\", @); }" >"$TMP/out" 2>"$TMP/err" &
tracer=$!
until grep -qs begun "$TMP/out"; do kill -0 $tracer || break; sleep 0.05; done
sleep 3
echo >"$TMP/go"
wait $target
woken() { awk '/^epoll_p?wait/ && / = [1-9]/ { sub(/.*\], [0-9]+, /, ""); if ($1 + 0 > 100) { woken++; exit } } END { exit !woken }' "$TMP/waits"; }
until woken; do kill -0 $tracer || break; sleep 0.05; done
kill -TERM "$(pgrep -P $tracer)"
wait $tracer
echo "status $?"
printed=$(grep -c '^key [0-9]* 1$' "$TMP/out")
dropped=$(awk '/aggregation drop/ { n += $2 } END { print n + 0 }' "$TMP/err")
[ $((printed + dropped)) -eq $count ] && echo "printed + dropped = produced" || echo "$printed printed, $dropped dropped"
