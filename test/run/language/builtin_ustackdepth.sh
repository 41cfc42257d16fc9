#@ what:    ustackdepth is the number of frames that ustack() prints
#@ needs:   syscall
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(); printf("depth %d\n", ustackdepth); }' -c "$PROGS/frames" |
    awk '/^depth/ { print ($2 == frames && frames >= 5) ? "as printed" : $2 " of " frames; next } NF { frames++ }'
