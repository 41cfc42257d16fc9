#@ what:    if the kernel cannot attach many functions at once (kprobe.multi), fbt attaches them one by one, and -v says so
#@ needs:   kprobe no-kprobe.multi
$DTRACE -vqn 'rawfbt::vfs_write:entry,rawfbt::vfs_read:entry /pid == $target/ { @[probefunc] = count(); }' -c "$PROGS/writes 10 10" 2>&1 |
    grep -E '^dtrace:|vfs_write +[0-9]+$' | sed 's/  */ /g'
