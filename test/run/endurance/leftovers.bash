# Sourced by tests that check that a tracer leaves nothing in the kernel. Lists the objects at the start; left_behind() prints those that are new since then.
# Prints the ids of the objects that no living process holds, directly or through a program. (Objects of other tracers on this machine are held; those of the test must be gone.)
# The held objects are read from proc(5), because not every kernel reports them to bpftool.
unheld()
{
    cat /proc/[0-9]*/fdinfo/* 2>/dev/null | awk -F '[_:\t ]+' '/^(prog|map|link)_id:/ { print $1, $3 }' | sort -u >"$TMP/held"
    bpftool prog show 2>/dev/null | awk -v file="$TMP/held" '
        BEGIN { while ((getline line <file) > 0) held[line] }
        /^[0-9]+:/ { is_held = ("prog " $1 + 0) in held }
        is_held && /map_ids/ { count = split($0, ids, /map_ids |,/); for (i = 2; i <= count; i++) print "map", ids[i] + 0 }' >>"$TMP/held"
    for kind in prog map link; do
        bpftool $kind show 2>/dev/null | awk -v kind=$kind '/^[0-9]+:/ { print kind, $1 + 0 }'
    done | grep -vxFf "$TMP/held" | sort
}
events() { cat /sys/kernel/tracing/{kprobe,uprobe}_events 2>/dev/null; } # where there is a trace file system
unheld >"$TMP/before"
events >"$TMP/events.before"
ls /sys/fs/bpf >"$TMP/pinned.before" 2>/dev/null
left_behind()
{
    # The kernel frees programs and maps some time after their last reference, later on a busy machine.
    for attempt in $(seq 200); do
        unheld >"$TMP/after"
        left=$(comm -13 "$TMP/before" "$TMP/after")
        [ -z "$left" ] && break
        sleep 0.25
    done
    echo "left behind: ${left:-nothing}"
    ls /sys/fs/bpf 2>/dev/null | diff "$TMP/pinned.before" - && echo "nothing pinned"
    events | diff "$TMP/events.before" - && echo "no event left"
}
