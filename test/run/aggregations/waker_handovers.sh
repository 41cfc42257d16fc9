#@ what:    waker of each wait for a mutex and for a condition is the thread that ended it, and the holder of the mutex who had it: of 200 waits all
#@ needs:   syscall
$DTRACE -qn 'syscall::futex:entry /pid == $target && tid == pid/ { self->t = mark(); }
    syscall::close:entry /pid == $target && (int)arg0 <= -100000000/ { @["condition", waker.tid == -100000000 - (int)arg0, waker.tid == -100000000 - (int)arg0] = count(); }
    syscall::close:entry /pid == $target && (int)arg0 <= -1000 && (int)arg0 > -100000000/ { @["mutex", waker.tid == -1000 - (int)arg0, blockedon.holder == -1000 - (int)arg0] = count(); }' \
    -c "$PROGS/handovers 200" | awk 'NF { print $1, $2, $3, $4 }' | sort
