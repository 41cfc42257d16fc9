#@ what:    a library that a command opened and closed at once, and a process whose first thread has ended: their frames have names
#@ needs:   syscall
frames() { sed '/^$/d; s/^ *//; s/+.*//'; }
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(1); }' -c "$PROGS/opener $PROGS/libcalled.so" | frames
"$PROGS/leader_gone" &
until thread=$(ls /proc/$!/task | tail -n 1); [ "$thread" != $! ]; do sleep 0.02; done # not yet executed, it is still the shell
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(1); exit(0); }' -p $! | frames
kill $!
