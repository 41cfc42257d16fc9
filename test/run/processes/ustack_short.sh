#@ what:    stack frames are printed with names in a library that is soon unloaded, and after the main thread has exited
#@ needs:   syscall
frames() { sed '/^$/d; s/^ *//; s/+.*//'; }
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(1); }' -c "$PROGS/opener $PROGS/libcalled.so" | frames
"$PROGS/leader_gone" &
until thread=$(ls /proc/$!/task | tail -n 1); [ "$thread" != $! ]; do sleep 0.02; done # until the program has started its second thread
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(1); exit(0); }' -p $! | frames
kill $!
