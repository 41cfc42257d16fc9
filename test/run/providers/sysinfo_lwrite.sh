#@ what:    sysinfo: a write through the kernel's cache of a disk is one of a buffer, of which the disk hears nothing yet
#@ needs:   loop
truncate -s 8M $TMP/disk
dev=$(losetup -f --show $TMP/disk)
trap 'losetup -d $dev' EXIT
COUNTS_DISK=$dev $DTRACE -qn 'int n; syscall::getppid:entry /pid == $target/ { n++; }
sysinfo:::lwrite /pid == $target && n == 1/ { @[probename] = sum(arg0); }' -c "$PROGS/counts cached 9" | awk '{ $1 = $1 } NF'
