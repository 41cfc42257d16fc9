#@ what:    kernel stacks begin at what was traced, whether or not another tracer uses the same tracepoint meanwhile
#@ needs:   syscall
# The number of frames that are the tracer's own was counted at the start, and changes when the other comes or goes.
other() { $DTRACE -qn 'syscall::getpgid:entry { @ = count(); } tick-30s { exit(0); }' -o "$TMP/other" & }
trace() {
    printf '%s\nsleep 1\n%s\n' "$1" "$PROGS/storm 20" >"$TMP/command"
    $DTRACE -qn 'syscall::getppid:entry /execname == "storm"/ { @[stack(20)] = count(); }' -c "bash $TMP/command" |
        sed 's/^ *vmlinux`\([^+]*\).*/\1/' | grep .
}
trace : >"$TMP/alone"
other
pid=$!
sleep 1
trace "kill -TERM $pid" >"$TMP/it_ends"
cat >"$TMP/start" <<D
exec $DTRACE -qn 'syscall::getpgid:entry { @ = count(); } tick-3s { exit(0); }'
D
trace "bash $TMP/start >/dev/null 2>&1 &" >"$TMP/it_comes"
cat "$TMP/alone" | grep -c 'traceiter\|bpf'
cmp "$TMP/alone" "$TMP/it_ends" && echo "the same when it ends"
cmp "$TMP/alone" "$TMP/it_comes" && echo "the same when it comes"
wait
