#@ what:    -x cost counts only some hits of a frequent probe, and estimates the total number of hits from them
#@ needs:   syscall
# The traced program storm runs until several reports have an estimated count (~). Then the estimate is close to the true count.
cat >"$TMP/calls" <<'SH'
tables() { grep -c '~.*:getppid:entry$' "$TMP/err"; }
until [ "$(tables)" -gt 8 ]; do "$PROGS/storm" 500000; done
SH
$DTRACE -x cost=500ms -qn 'syscall::getppid:entry /progenyof($target)/ { @ = count(); }' -c "sh $TMP/calls" 2>"$TMP/err" | awk '{ gsub(",", ""); print }' >"$TMP/count"
awk 'FNR == NR { all += $1; next } { gsub(",", "") } / PROBE$/ { on = 1 } on && /:getppid:entry$/ { sub("~", "", $1); said = $1 + 0 }
    END { print "near:", (said > all / 5 && said < all * 5) }' "$TMP/count" "$TMP/err"
grep -q '(other system calls)$' "$TMP/err" && echo "others"
