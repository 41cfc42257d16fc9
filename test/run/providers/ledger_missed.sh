#@ what:    function returns that the kernel cannot track, because too many calls wait at the same time, count under drop reason missed
#@ lost:    missed recursion
#@ needs:   guest kprobe.multi uprobe.multi
# The kernel tracks at most two calls of a function per CPU at the same time. All 24 calls sleep at the same time, so it misses some of them.
cat >"$TMP/sleepers" <<'S'
for i in $(seq 24); do sleep 2 & done
wait
S
$DTRACE -x drops -qn 'rawfbt::hrtimer_nanosleep:return /execname == "sleep"/ { @ = count(); } END { printa("returned %@d\n", @); }' -c "sh $TMP/sleepers" >"$TMP/out" 2>"$TMP/err"
awk '/^returned/ { returned = $2 } / in rawfbt:.*the kernel skips a probe/ { told += $2 } / missed: / { missed = $1 } / recursion: / { recursion = $1 }
    END { print "as told:", (told == missed + recursion), " missed:", (missed > 0), " all:", (returned + missed >= 24) }' "$TMP/out" "$TMP/err"
# The tracer's own program calls the probed function for each new key. This inner call runs no program; kernels count it
# as recursion or as missed.
$DTRACE -x drops -x hits -qn 'rawfbt::_raw_spin_lock_irqsave:entry,rawfbt::_raw_spin_unlock_irqrestore:entry { @[n++, stack()] = count(); }' -c "$PROGS/syscalls getppid 3000" >/dev/null 2>"$TMP/err"
awk '/ in rawfbt:.*the kernel skips a probe/ { told += $2 } / missed: / { gsub(",", "", $1); lost += $1 } / recursion: / { gsub(",", "", $1); lost += $1 }
    $NF ~ /^rawfbt:/ && $1 ~ /^[0-9]+$/ { fired += $1; wrong += $1 != $2 + $3 + $4 }
    END { print "entries: as told:", (told == lost), " some:", (lost > 0), " adds up:", (fired > 0 && wrong == 0) }' "$TMP/err"
