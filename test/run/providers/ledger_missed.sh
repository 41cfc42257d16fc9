#@ what:    calls that the kernel has no room to follow to their return are the cause missed: as many as drops told, and with those that returned all
#@ needs:   guest kprobe.multi uprobe.multi
# For each function there is room for two calls of each CPU at a time, and every call sleeps.
cat >"$TMP/sleepers" <<'S'
for i in $(seq 24); do sleep 2 & done
wait
S
$DTRACE -x ledger -qn 'rawfbt::hrtimer_nanosleep:return /execname == "sleep"/ { @ = count(); } END { printa("returned %@d\n", @); }' -c "sh $TMP/sleepers" >"$TMP/out" 2>"$TMP/err"
awk '/^returned/ { returned = $2 } / in rawfbt:.*the kernel skips/ { told += $2 } / missed: / { missed = $1 } / recursion: / { recursion = $1 }
    END { print "as told:", (told == missed + recursion), " missed:", (missed > 0), " all:", (returned + missed >= 24) }' "$TMP/out" "$TMP/err"
