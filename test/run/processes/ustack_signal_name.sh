#@ what:    where the handler of a signal returns to has its name in a stack, though no call is in front of it
#@ needs:   syscall
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(); @[ustack()] = count(); }' -c "$PROGS/deep_static signal" | grep -A 1 handle | sed 's/+0x.*//; s/^ *//; /--/d'
