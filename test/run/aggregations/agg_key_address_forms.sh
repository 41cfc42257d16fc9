#@ what:    as aggregation keys, a function, its module and an address in the function are different, for user and kernel addresses
#@ needs:   syscall
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { @[usym(ucaller)] = sum(1); @[umod(ucaller)] = sum(2); @[uaddr(ucaller)] = sum(3); }
    END { printa("%A %@d\n", @); }' -c "$PROGS/frames" | sed 's/+0x[0-9a-f]*/+OFFSET/'
$DTRACE -qn 'BEGIN { @[mod((uintptr_t)&`vfs_read)] = sum(2); @[sym((uintptr_t)&`vfs_read + 1)] = sum(1); exit(0); } END { printa("%a %@d\n", @); }'
