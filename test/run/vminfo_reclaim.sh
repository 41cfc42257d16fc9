#@ what:    vminfo: the kernel wakes up to free pages and looks through them, as often and as many as its own events say
#@ needs:   guest
#@ timeout: 60
# Raised in steps, no further than needed: with hardly anything left somebody might be killed for want of memory.
free=$(awk '/MemFree/ { print $2 }' /proc/meminfo)
least=$(cat /proc/sys/vm/min_free_kbytes)
trap 'echo $least >/proc/sys/vm/min_free_kbytes' EXIT
cat >$TMP/want <<S
looked() { awk '/pgscan_kswapd / { print \$2 }' /proc/vmstat; }
before=\$(looked)
for share in 76 80 84 88 92; do
    echo \$(($free * share / 100)) >/proc/sys/vm/min_free_kbytes
    $PROGS/touch_pages 2000
    for wait in 1 2 3; do
        sleep 1
        [ \$(looked) = \$before ] || break 2
    done
done
echo $least >/proc/sys/vm/min_free_kbytes
S
$DTRACE -qn 'int runs, seen, scans, looked;
vminfo:::pgrrun { runs += arg0; } sdt:vmscan::mm_vmscan_kswapd_wake { seen++; }
vminfo:::scan { scans += arg0; } sdt:vmscan::mm_vmscan_lru_isolate { looked += args[3]; }
END { printf("%d %d %d %d\n", runs > 0, runs - seen, scans > 0, scans - looked); }' -c "sh $TMP/want" | grep .
