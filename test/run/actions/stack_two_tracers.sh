#@ what:    stack() omits the tracer's own frames even when another tracer of the same provider starts or ends
#@ needs:   syscall
# At its start, the tracer counts the stack frames that tracing adds and that stack() omits. Their number changes when another tracer starts or ends.
other() { $DTRACE -qn 'BEGIN { printf("on\n"); } syscall::getpgid:entry { @ = count(); } tick-600s { exit(0); }' -o "$TMP/other" & }
trace() {
    printf '%s\nsleep 1\n%s\n' "$1" "$PROGS/storm 20" >"$TMP/command"
    $DTRACE -qn 'syscall::getppid:entry /execname == "storm" && progenyof($target)/ { @[stack(20)] = count(); }' -c "bash $TMP/command" |
        sed 's/^ *vmlinux`\([^+]*\).*/\1/' | grep .
}
trace : >"$TMP/alone"
other
pid=$!
until grep -qs on "$TMP/other"; do sleep 0.05; done
trace "kill -TERM $pid; while grep -q '^State:.[^Z]' /proc/$pid/status 2>/dev/null; do sleep 0.05; done" >"$TMP/it_ends"
cat >"$TMP/start" <<D
echo \$\$ >$TMP/pid
exec $DTRACE -qn 'BEGIN { printf("on\n"); } syscall::getpgid:entry { @ = count(); } tick-600s { exit(0); }'
D
trace "bash $TMP/start >$TMP/began 2>&1 & until grep -qs on $TMP/began; do sleep 0.05; done" >"$TMP/it_comes"
kill -TERM "$(cat "$TMP/pid")"
cat "$TMP/alone" | grep -c 'traceiter\|bpf'
cmp "$TMP/alone" "$TMP/it_ends" && echo "the same when it ends"
cmp "$TMP/alone" "$TMP/it_comes" && echo "the same when it comes"
wait
