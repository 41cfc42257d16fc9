#@ what:    sysinfo:::lwrite fires for a buffered write before the disk gets a request
#@ needs:   loop
truncate -s 8M $TMP/disk
dev=$(losetup -f --show $TMP/disk)
trap 'losetup -d $dev' EXIT
COUNTS_DISK=$dev $DTRACE -qn 'int n; syscall::getppid:entry /pid == $target/ { n++; }
sysinfo:::lwrite /pid == $target && n == 1/ { @[probename] = sum(arg0); }' -c "$PROGS/counts cached 9" | awk '{ $1 = $1 } NF'
