#@ what:    -x format=ctf writes dropped records as discarded events, as many as the tracer reports at the end
#@ needs:   syscall babeltrace2
$DTRACE -x format=ctf -x bufsize=4k -o "$TMP/trace" -qn 'syscall::getppid:entry /pid == $target/ { printf("%d\n", self->n++); }' -c "$PROGS/storm 100000 1" 2>"$TMP/err"
babeltrace2 "$TMP/trace" >"$TMP/events" 2>"$TMP/discarded"
lost=$(sed -n 's/,//g; s/^dtrace: lost: \([0-9]*\) .*/\1/p' "$TMP/err")
discarded=$(grep -o 'discarded [0-9]* event' "$TMP/discarded" | awk '{ n += $2 } END { print n + 0 }')
[ "$lost" -gt 0 ] && [ "$discarded" = "$lost" ] && echo "discarded what was lost" || echo "$discarded of $lost"
awk -v lost="$lost" '/getppid/ { n++; match($0, /value1 = [0-9]+/); value = substr($0, RSTART + 9, RLENGTH - 9) + 0; wrong += n > 1 && value <= former; former = value } END { print (n + lost == 100000 ? "all others" : n), wrong + 0 }' "$TMP/events"
