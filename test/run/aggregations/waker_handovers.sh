#@ what:    after 200 mutex and condition waits, waker is always the thread that ended the wait, and blockedon.holder is the mutex owner in 99 % of them
#@ needs:   syscall
# blockedon.holder is 0 if the wait begins while the mutex is being released.
$DTRACE -qn 'syscall::futex:entry /pid == $target && tid == pid/ { self->t = mark(); }
    syscall::close:entry /pid == $target && (int)arg0 <= -100000000/ { @["condition", waker.tid == -100000000 - (int)arg0] = count(); }
    syscall::close:entry /pid == $target && (int)arg0 <= -1000 && (int)arg0 > -100000000/ { @["mutex", waker.tid == -1000 - (int)arg0] = count(); }
    syscall::close:entry /pid == $target && (int)arg0 <= -1000 && (int)arg0 > -100000000/ {
        @["holder", blockedon.holder == -1000 - (int)arg0 ? 1 : blockedon.holder ? -1 : 0] = count(); }' \
    -c "$PROGS/handovers 200" |
    awk 'NF == 3 && ($1 != "holder" || $2 < 0) { print } $1 == "holder" && $2 == 1 { print "holder", ($3 >= 198 ? "known" : $3) }' | awk '{ print $1, $2, $3 }' | sort
