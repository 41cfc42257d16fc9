#@ what:    idle scripts of a service wake at the same time, so that the service wakes about once a second
#@ needs:   syscall strace
. ./service.bash
start
strace -e trace="?epoll_wait,epoll_pwait" -o "$TMP/waits" -p $service 2>/dev/null &
watching=$!
for each in one two three; do
    echo "syscall::getppid:entry /pid == $$/ { @ = count(); }" >"$TMP/$each.d"
    client attach "$TMP/$each.d" >/dev/null
    sleep 0.35
done
rested() { awk '!/ = 0$/ { n = 0; next } { sub(/.*\], [0-9]+, /, ""); n = $1 + 0 > 900 ? n + 1 : 0; if (n == 3) { rested = 1; exit } } END { exit !rested }' "$TMP/waits"; }
until rested; do kill -0 $service || break; sleep 0.1; done
stop
wait $watching
rested && echo "they wake together"
