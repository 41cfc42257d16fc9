#@ what:    the manual's one-liners that show what others do, and those about disks and interrupts, print what the programs they run beside did
#@ needs:   guest loop
#@ timeout: 60
. ./one_liner
truncate -s 1M $TMP/disk
dev=$(losetup -f --show $TMP/disk)
trap 'losetup -d $dev' EXIT
one_liner 'Files that are opened' "cat $TMP/disk 0\$" -c "cat $TMP/disk"
one_liner 'New programs with their arguments' ' head -c 5 /dev/zero$' -c 'env head -c 5 /dev/zero'
one_liner 'Interrupts by number' '^ +[0-9]+ +[0-9]+$' -c "cat $TMP/disk"
one_liner 'Disk I/O size by process' '^ +8192 \|@+ +1 *$' -c "$PROGS/disk $dev w 0 8192"
one_liner 'Disk I/O latency by device, in microseconds' "^ +${dev#/dev/} +\$" -c "$PROGS/disk $dev w 0 8192"
