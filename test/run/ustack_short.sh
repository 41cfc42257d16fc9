#@ what:    a library that a command opened and closed at once, and a process whose first thread has ended: their frames have names
#@ needs:   syscall
frames() { sed '/^$/d; s/^ *//; s/+.*//'; }
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(1); }' -c "$PROGS/opener $PROGS/libcalled.so" | frames
"$PROGS/leader_gone" &
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(1); exit(0); }' -p $! | frames
kill $!
