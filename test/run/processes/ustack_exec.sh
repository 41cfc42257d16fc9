#@ what:    frames of a process that later executes another program print with names of the earlier program
#@ needs:   syscall
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(1); }' -c "$PROGS/image_one 3 $PROGS/image_two 3 $PROGS/image_one 2" |
    sed '/^$/d; s/^ *//; s/+.*//' | uniq -c | sed 's/^ *//'
