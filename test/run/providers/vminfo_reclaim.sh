#@ what:    vminfo probes for page reclaim count the same as the kernel's own events
#@ needs:   guest loop
#@ timeout: 60
# The test raises min_free_kbytes in steps, and no further than needed, because with too little free memory the kernel might kill a process.
least=$(cat /proc/sys/vm/min_free_kbytes)
truncate -s 64M $TMP/disk
dev=$(losetup -f --show $TMP/disk)
trap 'echo $least >/proc/sys/vm/min_free_kbytes; losetup -d $dev' EXIT
# Fills the page cache with reclaimable pages. If kswapd has found no such page so far, it stops until another task reclaims
# pages.
exec 3<$dev # keeps the cached pages of the device
cat $dev >/dev/null
echo 4M >/sys/fs/cgroup/memory.reclaim 2>/dev/null
free=$(awk '/MemFree/ { print $2 }' /proc/meminfo)
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
until [ \$(looked) = "\$last" ]; do last=\$(looked); sleep 0.2; done
S
$DTRACE -qn 'int runs, seen, scans, looked;
vminfo:::pgrrun { runs += arg0; } sdt:vmscan::mm_vmscan_kswapd_wake { seen++; }
vminfo:::scan { scans += arg0; } sdt:vmscan::mm_vmscan_lru_isolate { looked += args[3]; }
END { printf("%d %d %d %d\n", runs > 0, runs - seen, scans > 0, scans - looked); }' -c "sh $TMP/want" | grep .
