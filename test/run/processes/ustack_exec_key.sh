#@ what:    as a key, a stack address that means different functions before and after the process executes another program prints without a name
#@ needs:   syscall
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { @[ustack(1)] = count(); }' -c "$PROGS/image_one 3 $PROGS/image_two 3" |
    sed '/^$/d; s/^ *//; s/0x[0-9a-f]*/ADDRESS/'
