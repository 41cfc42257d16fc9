#@ what:    stackdepth is the number of frames that stack() prints
#@ needs:   syscall
$DTRACE -x stackframes=127 -qn 'syscall::getppid:entry /pid == $target/ { stack(); printf("depth %d\n", stackdepth); }' -c "$PROGS/syscalls getppid 1" |
    awk '/^depth/ { print ($2 == frames && frames > 1) ? "as printed" : $2 " of " frames; next } NF { frames++ }'
