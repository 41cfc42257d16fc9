#@ what:    fbt attaches functions one by one if multi-attach is unavailable, and -v reports this
#@ needs:   kprobe no-kprobe.multi
$DTRACE -vqn 'rawfbt::vfs_write:entry,rawfbt::vfs_read:entry /pid == $target/ { @[probefunc] = count(); }' -c "$PROGS/writes 10 10" 2>&1 |
    grep -E '^dtrace:|vfs_write +[0-9]+$' | sed 's/  */ /g'
