#@ what:    -x cost measures the overhead of a probe outside its program once per boot, and keeps the result in a cache file
#@ needs:   syscall
XDG_CACHE_HOME=$TMP/cache
mkdir "$XDG_CACHE_HOME"
export XDG_CACHE_HOME
price()
{
    $DTRACE -x cost -qn 'BEGIN { n = 0; } syscall::getppid:entry /pid == $target/ { n++; }' -c "$PROGS/storm 20000 1" 2>&1 >/dev/null |
        awk '/without the cost outside/ { print "without" } / PROBE$/ { on = 1 } on && /:getppid:entry$/ { print $6 }'
}
before=$(price)
awk -v price="$before" 'BEGIN { print (price > 0) }'
for _ in 1 2 3 4 5 6; do
    now=$(price)
    [ "$now" = "$before" ] && break
    before=$now
done
[ "$now" = "$before" ] && echo kept
