#@ what:    what finds no room while nobody reads the output is lost to the reader; it, what the buffer lost and what was printed are all records
#@ needs:   syscall
#@ timeout: 60
# While the tracer can print no more, lines about elements that found no room go on, which are of every status check, and those about buffers do not.
cat >"$TMP/run" <<'R'
lines() { grep -c "$1" "$TMP/err"; }
until
    elements=$(lines 'dynamic variable drop') buffers=$(lines 'on CPU')
    until [ "$(lines 'dynamic variable drop')" -ge $((elements + 2)) ]; do "$PROGS/storm" 1000 1; done
    [ "$(lines 'on CPU')" = "$buffers" ]
do :; done
"$PROGS/storm" 20000 1
touch "$TMP/ran"
R
$DTRACE -x ledger -b 4k -x statusrate=200ms -x dynvarsize=16 -qn 'syscall::getppid:entry /ppid == $target/ { n++; printf("%060000d\n", 1); }
    syscall::getppid:entry /ppid == $target/ { a[n] = 1; } END { printf("all %d\n", n); }' -c "sh $TMP/run" 2>"$TMP/err" |
    { until [ -e "$TMP/ran" ]; do sleep 0.1; done; cat >"$TMP/out"; }
lost() { awk -v cause="$1:" '{ gsub(",", "", $1) } $0 ~ " " cause { print $1 }' "$TMP/err"; }
printed=$(grep -c '^0*1$' "$TMP/out")
all=$(sed -n 's/^all //p' "$TMP/out")
[ "$(lost reader)" -ge 19000 ] && echo "lost to the reader"
[ $((printed + $(lost buffer) + $(lost reader))) = "$all" ] && echo "all of them" || echo "$printed + $(lost buffer) + $(lost reader) of $all"
