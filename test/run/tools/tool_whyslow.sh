#@ what:    whyslow.d shows the parts of the time of slow calls by process and call, and the stack of the longest sleep
#@ needs:   syscall
"$DTRACE" -s whyslow.d sleep clock_nanosleep 200 -c 'sh -c "sleep 0.2; sleep 0.01"' >"$TMP/shown"
grep -c 'read\|wait4' "$TMP/shown"
awk '$2 ~ /^\|/ { whole += $NF; has[$1] = 1 } END { print ("timer" in has ? "timer" : "no timer"), (whole >= 200000000 ? "and the whole of it" : whole) }' "$TMP/shown"
awk '/SLEPT/ { on = 1 } on && $2 == "clock_nanosleep" { print $1, $2, $4, $5, $6 }' "$TMP/shown"
grep -om1 do_nanosleep "$TMP/shown"
# Runs the tool for all system calls of a process and its descendants, however short.
"$DTRACE" -s whyslow.d "" "" 0 -c 'sh -c "sleep 0.01; true"' | awk '$2 == "wait4" || $2 == "clock_nanosleep" { seen[$1 " " $2] } END { for (each in seen) print each }' | sort
