#@ what:    the tracer's own memory does not grow while it copies many long keys into a larger map
#@ needs:   syscall host
#@ timeout: 60
count=90000 # 24,000 keys do not fit into the first map; the next map is replaced when it has 16,384 keys
mkfifo "$TMP/go"
(read -r _ <"$TMP/go" && exec "$PROGS/storm" $count) &
target=$!
"$DTRACE" -qn "BEGIN { printf(\"begun\n\"); }
    syscall::getppid:entry /pid == $target/ { @[ustack(), self->i++] = count(); } END { printa(\"%k key %d %@d\n\", @); }" >"$TMP/out" 2>"$TMP/err" &
tracer=$!
until grep -qs begun "$TMP/out"; do kill -0 $tracer || break; sleep 0.05; done
most() { awk '/^VmHWM/ { print $2 }' "/proc/$tracer/status"; }
maps() { find "/proc/$tracer/fd" -lname '*bpf-map*' 2>/dev/null | wc -l; }
first=$(most) maps=$(maps)
echo >"$TMP/go"
wait $target
for ((i = 0; i < 200 && $(maps) == maps; ++i)); do sleep 0.05; done # until both maps exist
grown=$(($(most) - first))
((grown < 6000)) && echo "flat" || echo "grown by $grown kB"
kill -TERM $tracer
wait $tracer
echo "status $?"
printed=$(grep -c 'key [0-9]* 1$' "$TMP/out")
dropped=$(awk '/aggregation drop/ { n += $2 } END { print n + 0 }' "$TMP/err")
[ $((printed + dropped)) -eq $count ] && echo "printed + dropped = produced" || echo "$printed printed, $dropped dropped"
