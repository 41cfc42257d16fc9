#@ what:    vminfo:::dfree, fsfree and anonfree count as many freed pages as the kernel's own event, separately for file and other pages
#@ needs:   guest loop
truncate -s 64M $TMP/disk
dev=$(losetup -f --show $TMP/disk)
trap 'losetup -d $dev' EXIT
exec 3<$dev # keeps the cached pages of the device
cat $dev >/dev/null
echo 'echo 8M >/sys/fs/cgroup/memory.reclaim' >$TMP/free
$DTRACE -qn 'int freed, told, of_files, of_none;
vminfo:::dfree { freed += arg0; } vminfo:::fsfree { of_files += arg0; } vminfo:::anonfree { of_none += arg0; }
sdt:vmscan::mm_vmscan_lru_shrink_inactive { told += args[2]; }
END { printf("%d %d %d\n", of_files > 0, freed - told, freed - of_files - of_none); }' -c "sh $TMP/free" | grep .
