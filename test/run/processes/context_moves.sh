#@ what:    traceid is a published id or "" even while another thread unmaps the memory of the OpenTelemetry context
#@ needs:   syscall
#@ timeout: 120
before=$(cat /proc/sys/kernel/tainted)
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { @[traceid] = count(); } END { printa("%s %@d\n", @); }' -c "$PROGS/contexts moves 1000000" >"$TMP/out"
awk '
    $1 == "moved" { moved = $2; next }
    NF == 1 { sum += $1; next }
    NF == 2 { sum += $2; if ($1 ~ /^(01|02|03)+$/ && length($1) == 32) own++; else print "wrong:", $0 }
    END {
        print sum, "readings", own + 0, "own traces", (moved >= 1000 ? "moved often" : moved)
    }' "$TMP/out"
[ "${SHOW:-}" ] && cat "$TMP/out"
[ "$before" = "$(cat /proc/sys/kernel/tainted)" ] && echo unhurt
