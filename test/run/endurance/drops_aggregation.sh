#@ what:    keys that exceed option aggsize are counted as drops, and one message names the option
#@ needs:   syscall
$DTRACE -x aggsize=2400 -qn 'syscall::getppid:entry /pid == $target/ { @[self->i++] = count(); }
    syscall::getppid:entry /pid == $target/ { @again[self->i] = count(); }' -c "$PROGS/storm 1000" >"$TMP/out" 2>"$TMP/err"
echo "$(awk 'NF == 2' "$TMP/out" | wc -l) keys"
awk '/aggregation drops? on CPU/ { n += $2 } END { print n, "dropped" }' "$TMP/err"
grep -v 'on CPU' "$TMP/err"
