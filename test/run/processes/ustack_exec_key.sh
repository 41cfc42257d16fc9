#@ what:    an address that belongs to two programs of one process prints without a name if its time is unknown
#@ needs:   syscall
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { @[ustack(1)] = count(); }' -c "$PROGS/image_one 3 $PROGS/image_two 3" |
    sed '/^$/d; s/^ *//; s/0x[0-9a-f]*/ADDRESS/'
