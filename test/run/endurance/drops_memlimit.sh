#@ what:    an aggregation grows up to option memlimit; later keys are dropped, and a message names the option
#@ needs:   syscall
count=200000
$DTRACE -x memlimit=1m -qn 'syscall::getppid:entry /pid == $target/ { @[self->i++] = count(); }' -c "$PROGS/storm $count" >"$TMP/out" 2>"$TMP/err"
printed=$(awk 'NF == 2 && $2 == 1' "$TMP/out" | wc -l)
dropped=$(awk '/aggregation drops? on CPU/ { n += $2 } END { print n + 0 }' "$TMP/err")
[ $((printed + dropped)) -eq $count ] && echo "printed + dropped = produced" || echo "$printed printed, $dropped dropped"
[ "$dropped" -gt 100000 ] && echo "many dropped"
grep -v 'on CPU\|lost: ' "$TMP/err"
[ "$(sed -n 's/,//g; s/^dtrace: lost: \([0-9]*\) values of aggregations (no room for a new key)$/\1/p' "$TMP/err")" = "$dropped" ] && echo "and lost, says the last line"
