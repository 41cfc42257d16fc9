#@ what:    -x cost: what a firing takes outside of its program is measured once a boot, and kept
#@ needs:   syscall
XDG_CACHE_HOME=$TMP/cache
mkdir "$XDG_CACHE_HOME"
export XDG_CACHE_HOME
for run in first second; do
    $DTRACE -x cost -qn 'BEGIN { n = 0; } syscall::getppid:entry /pid == $target/ { n++; }' -c "$PROGS/storm 20000 1" >/dev/null 2>"$TMP/$run"
    awk '/ PROBE$/ { on = 1 } on && /:getppid:entry$/ { print $6 }' "$TMP/$run" >"$TMP/$run.price"
    echo "$run: $(awk '{ print ($1 > 0) }' "$TMP/$run.price") $(grep -c 'without what is outside' "$TMP/$run")"
done
cmp "$TMP/first.price" "$TMP/second.price" && echo kept
