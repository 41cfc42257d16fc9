#@ what:    records dropped because the tracer's output is blocked count under drop reason reader
#@ lost:    reader buffer dynamic
#@ needs:   syscall
#@ timeout: 60
# While its output is blocked, the tracer does not read its buffers, so it cannot notice full buffers or report buffer
# drops. It still checks other loss counters, and so reports drops of dynamic variables.
cat >"$TMP/run" <<'R'
lines() { grep -c "$1" "$TMP/err"; }
until
    elements=$(lines 'dynamic variable drop') buffers=$(lines 'on CPU')
    until [ "$(lines 'dynamic variable drop')" -ge $((elements + 2)) ]; do "$PROGS/storm" 1000 1; done
    [ "$(lines 'on CPU')" = "$buffers" ]
do :; done
"$PROGS/storm" 20000 4
touch "$TMP/ran"
R
$DTRACE -x drops -x hits -b 4k -x statusrate=200ms -x dynvarsize=16 -qn 'syscall::getppid:entry /ppid == $target/ { @all = count(); printf("%060000d\n", 1); }
    syscall::getppid:entry /ppid == $target/ { a[timestamp] = 1; } END { printa("all %@d\n", @all); }' -c "sh $TMP/run" 2>"$TMP/err" |
    { until [ -e "$TMP/ran" ]; do sleep 0.1; done; cat >"$TMP/out"; }
lost() { awk -v cause="$1:" '{ gsub(",", "", $1) } $0 ~ " " cause { print $1 }' "$TMP/err"; }
printed=$(grep -c '^0*1$' "$TMP/out")
all=$(sed -n 's/^all //p' "$TMP/out")
awk -v records=$(($(lost buffer) + $(lost reader))) -v elements="$(lost dynamic)" '/:vmlinux:getppid:entry$/ {
    print "adds up:", ($1 == $2 + $3 + $4), " lost:", ($4 >= records && $4 >= elements && $4 <= records + elements) }' "$TMP/err"
[ "$(lost reader)" -ge $((19000 - $(lost recursion))) ] && echo "lost to the reader"
[ $((printed + $(lost buffer) + $(lost reader))) = "$all" ] && echo "all of them" || echo "$printed + $(lost buffer) + $(lost reader) of $all"
