# Sourced by tests of what a tracer leaves behind: what is there before, and left_behind(), which says what is there since.
# Ids of the objects that no living process holds, itself or by a program. (Those of other tracers on this machine are held; ours must be gone.) What processes hold is
# in proc(5): not every kernel tells bpftool.
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
    # Programs and maps are freed a moment after their last reference; wait for that, the longer the busier the machine is.
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
