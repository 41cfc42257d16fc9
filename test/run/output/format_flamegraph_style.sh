#@ what:    -x format=flamegraph uses options flametitle, flamesubtitle and flameunit, and other colours for kernel frames than for user frames
#@ needs:   syscall
$DTRACE -x format=flamegraph -x flametitle='My <title>' -x flamesubtitle=below -x flameunit=calls -o "$TMP/graph.svg" \
    -qn 'syscall::getppid:entry /pid == $target/ { @[stack(1), ustack(1)] = count(); }' -c "$PROGS/frames"
grep -o -e '>My &lt;title&gt;<' -e '>below<' -e 'inner (1 calls, 100.00%)' "$TMP/graph.svg"
grep -o 'fill="rgb([0-9,]*)"' "$TMP/graph.svg" | tail -n 2 | tr -c '0-9\n' ' ' | awk '{ print ($1 > $3 ? "warm" : "blue") }'
