#@ what:    vminfo probes count page faults of each kind, and pages read from and written to disk
#@ needs:   loop
truncate -s 8M $TMP/disk
dev=$(losetup -f --show $TMP/disk)
trap 'losetup -d $dev' EXIT
export COUNTS_DISK=$dev
$DTRACE -qn 'int n; syscall::getppid:entry /pid == $target/ { n++; }
vminfo:::as_fault /pid == $target && n == 1/ { @["as_fault"] = sum(arg0); }
vminfo:::kernel_asflt /pid == $target && n == 3/ { @["kernel_asflt"] = sum(arg0); }
vminfo:::maj_fault /pid == $target && n == 5/ { @["maj_fault"] = sum(arg0); }
vminfo:::pgin,vminfo:::pgpgin /pid == $target && n == 5/ { @[probename] = sum(arg0); }
vminfo:::pgout,vminfo:::pgpgout /pid == $target && n == 7/ { @[probename] = sum(arg0); }' \
    -c "$PROGS/counts new 11 kernel 14 disk 15 output 16" | awk '{ $1 = $1 } NF' | sort
